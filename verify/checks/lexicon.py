"""Words that say which way an effect goes, as pairs of opposites, with their inflections.

Written for this project: opposites of clinical and molecular English, enlarged by reading errors on
the training splits of SciFact, Check-COVID, Evidence Inference and our synthetic pairs, never on a
development or test split.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """What a word says: on which `axis`, in which of its two directions (`sign` +1 or -1).

    Words of one axis with opposite signs disagree; those of one `pair` are antonyms by name.
    """

    pair: str
    axis: str
    sign: int


# A pair is "axis: name", then the words of sign +1 after "+" and those of sign -1 after "-".
# "~" asks for a verb's inflections and regular nouns (reduce~ → reduces, reduced, reducing).
_PAIRS = """
amount: increase/decrease
+ increase~ increment~ augment~ raise~ rise~ rising rose risen elevate~ heighten~ expand~ expansion
  grow grows growing grew surge~ escalate~ accumulate~ amplify~ amplification multiply~ boost~
- decrease~ reduce~ reduction reductions lower~ decline~ diminish~ fall~ fell fallen drop~ dropped
  dropping lessen~ shrink~ shrank shrunk attenuate~ dampen~ mitigate~ minimize~ minimise~ curtail~
  wane~ subside~ dwindle~ cut cuts halve~ halving
amount: activate/inhibit
+ activate~ reactivate~ stimulate~ stimulatory excite~ excitatory transactivate~ coactivate~
  activator activators stimulator agonist agonists agonism agonistic agonize~ enhancer enhancers derepress~
  inducer inducers unleash~
- inhibit~ inhibitory inactivate~ deactivate~ block~ blockade blocker blockers silence~ silencing
  antagonize~ antagonise~ antagonistic antagonist antagonists antagonism neutralize neutralizes
  repress~ repressive repressor repressors inhibitor inhibitors suppressor suppressors quench~
  abolish~ abrogate~ disable~ autoinhibit~ blunt~ counteract~ oppose~ interfere~ thwart~
amount: upregulate/downregulate
+ upregulate~ overexpress~ overexpression overproduce~ overproduction overactive overactivate~
  hyperactive hyperactivation hyperactivity
- downregulate~ underexpress~ knockdown knockdowns knockout knockouts ablate~ ablation deplete~
  hypoactive hypoactivity
amount: promote/suppress
+ promote~ foster~ facilitate~ encourage~ drive~ driven drove favor~ favour~ potentiate~
- suppress~ suppressive prevent~ preventive preventative hinder~ impede~ restrict~ restrain~ limit~
  constrain~ curb~ hamper~ halt~ stop~ stopped stopping preclude~ avert~ forestall~ eliminate~
  eradicate~ disrupt~ disruptive avoid~
amount: enhance/impair
+ enhance~ enhancement strengthen~ intensify~ reinforce~ restore~ restoration
- impair~ impairment impairments compromise~ weaken~ undermine~ disturb~ deteriorate~ defective dysfunctional
amount: cause/prevent
+ induce~ induction trigger~ elicit~ evoke~ cause~ provoke~ initiate~ lead~ led confer~ contribute~
  mediate~ enable~ allow~ permit~ generate~ produce~
- prevention
amount: exacerbate/alleviate
+ exacerbate~ aggravate~
- ameliorate~ alleviate~ relieve~ relief reverse~ reversal rescue~
amount: higher/lower
+ high higher highest highly greater greatest larger largest stronger strongest longer longest
  excess excessive abundant upward upwards
- low lowest smaller smallest weaker weakest shorter shortest reduced scarce downward downwards
amount: more/less
+ more most additional extra
- less least fewer fewest lesser
amount: gain/loss
+ gain~ acquire~ acquisition retain~ retention maintain~ maintenance preserve~ preservation
- lose~ losing lost loss losses deficiency deficiencies deficient deficit deficits deprive~
  deprivation delete~ removal remove~ withdrawal haploinsufficiency lack lacks
  lacked lacking without
amount: positive/negative
+ positively positive
- negatively negative inverse inversely
amount: hypermethylation/hypomethylation
+ hypermethylation hypermethylated hyperphosphorylation hyperphosphorylated
- hypomethylation hypomethylated hypophosphorylation hypophosphorylated
amount: stabilize/destabilize
+ stabilize~ stabilise~ stabilization stabilisation
- destabilize~ destabilise~ degrade~ degradation
amount: accelerate/delay
+ accelerate~ hasten~ faster fastest quicker
- delay~ slow~ slower slowest decelerate~ retard~ postpone~
speed: early/late
+ rapid rapidly quickly early earlier premature
- slowly late later gradual gradually
valence: improve/worsen
+ improve~ improvement improvements better best benefit~ beneficial beneficially favorable
  favourable favorably favourably
- worsen~ worse worst harm~ harmful detrimental deleterious adverse adversely unfavorable
  unfavourable poor poorer poorly poorest
valence: protective/risk
+ protect~ protective neuroprotective cardioprotective safe safer safely
- threaten~ endanger~ hazardous dangerous unsafe toxic
valence: efficacious/ineffective
+ effective effectively efficacious successful successfully
- ineffective ineffectively inefficacious unsuccessful unsuccessfully futile useless
valence: superior/inferior
+ superior superiority outperform~ exceed~ surpass~
- inferior inferiority underperform~
necessity: required/dispensable
+ require~ requirement essential necessary necessity needed need needs indispensable crucial vital
  obligatory mandatory dependent depends depend depending dependence rely relies relied
- dispensable unnecessary unneeded nonessential independent independently redundant
sufficiency: sufficient/insufficient
+ sufficient suffices suffice adequate adequately enough
- insufficient insufficiently inadequate inadequately
sensitivity: sensitive/resistant
+ sensitive sensitize~ sensitise~ susceptible susceptibility vulnerable vulnerability responsive
- resistant resist~ resistance insensitive insensitivity refractory unresponsive tolerant
presence: present/absent
+ present presence detectable exist~ exists contains contain contained containing possess~ common
  commonly frequent frequently widespread prevalent
- absent absence undetectable undetected nonexistent missing devoid rare rarely uncommon
  infrequent infrequently
effect: different/similar
+ differ~ different differently distinct difference differences dissimilar unequal
- same identical identically similar similarly comparable comparably equal equally equivalent
  equivalence indistinguishable
effect: affected/unaffected
+ affect~ effect effects influence~ alter~ alteration alterations change~ impact~ impacts
  modify~ modulate~ regulate~ associate~ associations correlate~ correlations link~ linked
  relationship predict~ predictive predictor predictors significant significance role advantage
- unaffected unchanged unaltered unmodified unrelated uncorrelated unassociated nonsignificant
  nonsignificantly insignificant irrespective regardless noninferior
truth: true/false
+ true confirm~ validate~ verify~ corroborate~ proven prove~
- false refute~ contradict~ disprove~ disproven reject~ falsify~ myth debunk~
place: intracellular/extracellular
+ intracellular
- extracellular
duration: transient/persistent
+ acute transient temporary transiently reversible reversibly
- chronic permanent permanently irreversible irreversibly persistent persistently lasting
growth: malignant/benign
+ malignant tumorigenic oncogenic oncogene
- benign antitumor
severity: mild/severe
+ asymptomatic mild mildly
- symptomatic severe severely
directness: direct/indirect
+ direct directly
- indirect indirectly
sex: male/female
+ male males men boys
- female females women girls
zygosity: homozygous/heterozygous
+ homozygous
- heterozygous
share: majority/minority
+ majority mostly mainly predominantly
- minority
"""

# What is bad to have more of, and what is good: turns "reduces mortality" and "improves survival"
# into the same statement.
BAD = frozenset(
    [
        "mortality",
        "death",
        "deaths",
        "risk",
        "risks",
        "hazard",
        "odds",
        "relapse",
        "relapses",
        "recurrence",
        "recurrences",
        "infection",
        "infections",
        "pain",
        "disease",
        "diseases",
        "injury",
        "injuries",
        "damage",
        "toxicity",
        "tumor",
        "tumors",
        "tumour",
        "tumours",
        "cancer",
        "cancers",
        "metastasis",
        "metastases",
        "inflammation",
        "symptom",
        "symptoms",
        "severity",
        "complication",
        "complications",
        "failure",
        "failures",
        "stroke",
        "strokes",
        "bleeding",
        "decline",
        "deficits",
        "susceptibility",
        "burden",
        "depression",
        "anxiety",
        "obesity",
        "diabetes",
        "hypertension",
        "fibrosis",
        "apoptosis",
        "stress",
        "atherosclerosis",
        "fracture",
        "fractures",
        "fatality",
        "fatalities",
        "hospitalization",
        "hospitalizations",
        "illness",
        "disability",
        "incidence",
        "transmission",
        "prevalence",
        "events",
        "crisis",
        "impairment",
        "dysfunction",
        "steatosis",
        "ischemia",
        "dementia",
        "malaria",
        "asthma",
        "cough",
        "fever",
        "nausea",
        "fatigue",
        "errors",
        "lesions",
        "lesion",
    ]
)
GOOD = frozenset(
    [
        "survival",
        "function",
        "functioning",
        "efficacy",
        "recovery",
        "quality",
        "health",
        "protection",
        "performance",
        "memory",
        "learning",
        "cognition",
        "viability",
        "healing",
        "tolerability",
        "adherence",
        "accuracy",
        "remission",
        "cure",
        "fertility",
        "longevity",
        "lifespan",
        "fitness",
        "immunity",
        "effectiveness",
        "safety",
        "prognosis",
        "success",
        "benefit",
        "benefits",
    ]
)


def _forms(verb: str) -> set[str]:
    """A verb's inflections and regular nouns; forms that don't exist do no harm."""
    if verb.endswith("e"):
        base = verb[:-1]
        return {verb, verb + "s", verb + "d", base + "ing", base + "ion", base + "ions"} | {
            base + "ation"
        }
    if verb.endswith("y"):
        return {verb, verb + "ing", verb[:-1] + "ies", verb[:-1] + "ied"}
    plural = "es" if verb.endswith(("s", "sh", "ch", "x")) else "s"
    return {verb} | {verb + ending for ending in (plural, "ed", "ing", "ion", "ions")}


def _words(line: str) -> set[str]:
    forms = (_forms(w[:-1]) if w.endswith("~") else {w} for w in line.split())
    return set().union(*forms)


def _read(table: str) -> dict[str, Entry]:
    """Word → entry; where two pairs hold one word, the first keeps it."""
    entries: dict[str, Entry] = {}
    axis = pair = ""
    sign = 0
    for line in table.strip().splitlines():
        if line[0].isalpha():
            axis, pair = line.split(": ")
            continue
        sign = {"+": 1, "-": -1}.get(line[0], sign)
        for word in sorted(_words(line[1:])):
            entries.setdefault(word, Entry(pair, axis, sign))
    return entries


DIRECTIONS: dict[str, Entry] = _read(_PAIRS)
