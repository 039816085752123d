import { findTechnologies } from '../slots/find-technologies.ts'
import type { Finding } from './finding.ts'
import { AT_HAND, SEEN, TASK } from './lexicon/at-hand-words.ts'
import {
  GENERAL_BAN,
  GENERIC_PLURAL,
  NORM_ELSEWHERE,
  OBLIGATION,
  RECURRING,
  UNIVERSAL,
} from './lexicon/rule-words.ts'
import { isReport } from './moods.ts'
import { proseSlot } from './prose-slot.ts'
import type { Sentence } from './sentences.ts'

const LEAD = String.raw`(?:^|[:–—]\s*|^\W*(?:(?:and|also|but|please|pls|ok|okay|so|one more thing|note|remember|important|rule|reminder|btw|yes|no|plus|oh|another thing)[,:.]?\s+)+|,\s*(?:and|but|so)?\s*)`

/** A rule that is meant to last. */
const STANDING = new RegExp(
  [
    String.raw`${LEAD}(?:please |pls |you (?:must |should )?|we (?:must |should )?|i want you to )?(?:always|never|don'?t ever|do not ever|under no circumstances|at no point|only ever|consistently)\s+\w`,
    String.raw`\b(?:from now on|from here on(?: out)?|going forward|from this point on|as a (?:general )?rule|at all times|without exception|no exceptions|for the rest of (?:this|the) (?:project|session|conversation)|in all future|for all future|in (?:the )?future,|henceforth)\b`,
    String.raw`\b(?:all|every|each|any|no|new|both|public|private|commits?|tests?|migrations|functions|endpoints|files|components|modules|classes|errors|secrets|passwords|logs|prs?|pull requests|changes|nobody|nothing|everything|we|you|code|dates|timestamps|ids|responses|requests|queries|comments|names|variables|services|types|apis?|dependencies|branches|releases|builds|deploys|deployments)\b[^.?!]{0,60}?\b(?:must(?:n't)?|must not|may not|shall(?: not)?|have to|has to|need to|needs to|should always|should never|can never|are not allowed|is not allowed|aren't allowed|isn't allowed|are forbidden|is forbidden|are required|is required|are mandatory|is mandatory)\b`,
    String.raw`\b(?:(?!it|this|that|there|he|she)\p{L}+s|the [\w-]+|an? [\w-]+) must(?:n't| not| never)? \p{L}`,
    String.raw`\b(?:nothing|nobody|no one|no [\w-]+)\b.{1,60}\b(?:without|unless|until)\b|\bnothing else (?:may|can|must)\b`,
    String.raw`\b(?:hard|strict|firm|standing|general) (?:rule|requirement|constraint)\b|\bnon-negotiable\b`,
    String.raw`\b(?:not allowed|forbidden|prohibited|off[- ]limits|banned|is mandatory|are mandatory)\b`,
    String.raw`^\W*(?:(?:and|also|please)\s+)*(?:only|just) (?:\w+ )?\w+(?:s|ed)\b(?! (?:fail\w*|pass\w*|broke|is|are|was|were|use|used|when|if|once|one|two|works?)\b)[^?]{0,40}$`,
    String.raw`\b(?:i|we) (?:want|expect|require|need) (?:all |every |each )?(?!(?:the|it|this|that|you|to|a)\b)\p{L}+(?: \p{L}+)?s to (?:be|have|use|return|stay|go|live|come)\b`,
    String.raw`\b(?:nobody|no one) (?:pushes|merges|commits|deploys|touches|edits|changes|force)`,
    String.raw`\b(?:ask|check with|tell|warn|consult) (?:me |us |first )?before (?:you |any |every )?\p{L}`,
    String.raw`\b(?:needs?|requires?) (?:my|our|an?|two|explicit) (?:approval|sign-?off|review|ok|permission|consent)\b`,
    String.raw`^\W*(?:(?:and|also|please)\s+)*keep (?:the |all |our |every )?(?:[\w-]+ )?(?:\w+s|code|it) (?:small|short|simple|minimal|clean|pure|private|internal|flat|readable|in sync|up to date|stateless|backwards?[- ]compatible|atomic|sorted|alphabetical)\b`,
    String.raw`\b(?:british|american|us|uk) (?:english|spelling)\b|\b(?:comments?|docs|documentation|commit messages|ui texts?|answers?|replies|everything|names) in (?:english|german|french|spanish|russian|japanese|chinese|korean|portuguese)\b`,
    String.raw`\b(?:is|are) protected\b`,
    String.raw`\b(?:stays?|remains?)\s+(?:untouched|unchanged|frozen|read-only|private|public|internal|stable|stateless|simple|small|flat|optional|backwards?[- ]compatible|append-only)\b`,
    String.raw`\b(?:i|we) (?:always|never|strongly prefer|insist|require)\b`,
    String.raw`\b(?:whenever|every time|each time) (?:you|we)\b`,
    String.raw`${LEAD}(?:only use|use only|only ever use|exclusively use)\b`,
  ].join('|'),
  'iu',
)

/** A ban; it lasts when what is banned is a kind of thing and not the thing at hand. */
const BAN =
  /(?:^|[,;:]\s*|\b(?:please|and|but|also|so|just|ok|okay)\s+)(?:(?:don'?t(?: ever)?|do not|avoid|never|no more|we (?:don't|do not|won't|shouldn't|must not)|you (?:shouldn't|must not|may not|can't))\s+(?:\w+ly )?(?<verb>us(?:e|ing)|add(?:ing)?|commit(?:ting)?|push(?:ing)?|merg(?:e|ing)|introduc(?:e|ing)|log(?:ging)?|stor(?:e|ing)|hard-?cod(?:e|ing)|writ(?:e|ing)|creat(?:e|ing)|import(?:ing)?|install(?:ing)?|deploy(?:ing)?|modify(?:ing)?|edit(?:ing)?|chang(?:e|ing)|touch(?:ing)?|delet(?:e|ing)|expos(?:e|ing)|includ(?:e|ing)|mix(?:ing)?|rely(?:ing)?|suppress(?:ing)?|ignor(?:e|ing)|disabl(?:e|ing)|skip(?:ping)?|upgrad(?:e|ing)|squash(?:ing)?|rebas(?:e|ing)|force[- ]push(?:ing)?|leak(?:ing)?|print(?:ing)?|mock(?:ing)?|catch(?:ing)?|throw(?:ing)?|return(?:ing)?|call(?:ing)?|put(?:ting)?|abbreviat\w+|swallow(?:ing)?|block(?:ing)?|pull in|depend(?:ing)? on|bundl(?:e|ing)|shar(?:e|ing)|nest(?:ing)?|export(?:ing)?|inlin(?:e|ing)|mutat(?:e|ing))\s+(?<what>.{3,})|no (?<none>(?:[\w'/.-]+ ){0,4}[\w'/.-]+)\s*(?:$|[.!,;]|\b(?:please|allowed|anywhere|in|for|without|unless|on|except)\b))/i

const KIND =
  /\b(?:any|any more|new|directly|without|unless|ever|main|master|production|prod|external|third-party|3rd party|anywhere|anything|secrets?|passwords?|credentials|tokens|default exports?|global|inline|this (?:repo|project|codebase)|tests?|generated|vendor|legacy|public api|dependencies|force|raw|personal|user data|pii)\b|\b[\w-]+ (?:after|before|during|outside|inside) \w|^(?:[\w.'-]+ ){0,3}[\w.-]*(?:[^s\s]s|ies|any|code|state|logic|data)\s*(?:[.!,;]|$|\b(?:in|for|to|on|from|with|into|inside|at|by|as)\b)|\b(?:folder|directory|module|package|layer)\b|[\w-]+\/(?:\s|$|[.,!])/i

const NO_BAN =
  /^(?:problem|worries|worry|idea|need|thanks|thank|rush|way|luck|change|changes|doubt|one|matter|clue|issue|issues|more questions?|errors?|difference|reason|longer|wonder|sense|point|such|wait|sorry|that|this|it|the|i|you|we|they|but|and|not|nothing|yet|please|questions?|tests? (?:fail|pass|ran|found)|output|response|luck|big deal|good|go|joke|results?|effect|success|hurry|other|objections?|preference|strong|particular|comment|complaints?|harm|pressure|real|offen[cs]e|shit|kidding)\b/i

const NOT_A_RULE =
  /\bmust have (?:\p{L}+ed|been|gone|\p{L}+en)\b|^\W*(?:(?:and|but|so|ok|well|hmm|oh|also)[,.]?\s+)*(?:why|what|how|when|where|who|which|is|are|was|were|does|did|do you|do we|can you tell|should|could|would|i (?:don'?t|do not|never) (?:understand|think|know|see|get|care|used|saw|had|want to know|said|heard|tried|knew)|it (?:never|always|doesn'?t|must have)|that (?:never|always)|this (?:never|always)|the \w+ (?:never|always) |everything (?:always|never)|i (?:think|guess|suppose|believe|assume))\b|\b(?:we|i|you) (?:\w+ )?(?:need|have)(?: to)?\b|\b(?:that|this|it) should never\b|\b(?:do|does|did)(?:n'?t| not) (?:need|have) to\b|\b(?:i|we|it|they|you) (?:must have|must be (?:missing|wrong|doing)|never (?:got|had|saw|used|thought|knew|heard|tried|worked|did|really|actually|asked|said|told|decided|finished|managed)|don'?t (?:understand|think|know|see|get|believe|care|have|remember|mind|really|actually|worry|need|want))\b|\b(?:don'?t|do not|never) (?:worry|mind|forget|bother|hesitate|know|understand|think|get it|see|care|panic|stress|do anything|do that|change anything|touch it|start|tell me|ask me)\b|\b(?:always|never) (?:wanted|been|worked|works|fails|failed|fail|had|has|was|is|seen|heard|liked|loved|thought|happened|happens|crashes|returns|gets|shows|throws|felt|a good)\b/iu

const ELSEWHERE =
  /(?<!\p{L})(?:auf (?:englisch|deutsch)|en (?:anglais|français|inglés|español)|em (?:inglês|português)|на (?:английском|русском))(?!\p{L})|(?<!\p{L})(?:immer|niemals|nie(?! wieder (?:gesehen|gehört))|ab (?:jetzt|sofort)|grundsätzlich|darf (?:nicht|nie|kein\w*)|dürfen (?:nicht|nie|kein\w*)|keinesfalls|muss immer|müssen immer|toujours|(?:ne |n'|n’)[\p{L}']+(?: \p{L}+)? jamais|jamais de|dorénavant|désormais|à partir de maintenant|il est interdit|doivent (?:toujours|être)|siempre|nunca|jamás|de ahora en adelante|a partir de ahora|prohibido|deben? (?:siempre|ser|tener|pasar|llevar)|no se (?:puede|debe)|sempre|jamais|a partir de agora|de agora em diante|é proibido|devem? (?:sempre|ser|ter|passar)|não pode|всегда|никогда|отныне|с этого момента|впредь|нельзя|запрещено|обязательно|каждый \p{L}+ должен|все \p{L}+ должны)(?!\p{L})|必须|必須|总是|總是|始终|一律|永远不|永遠|禁止|务必|从现在(?:开始|起)|以后都|不得|绝不|今後|これから(?:は|も)?|絶対に|必ず|常に|決して|항상|절대|반드시|금지|앞으로(?:는)?|언제나/iu

/** Words that say of themselves that something is to last. */
const LASTS =
  /\b(?:always|never|ever|from now on|going forward|from here on|as a rule|at all times|every time|each time|whenever|without exception|forbidden|not allowed|off-limits|mandatory|don't|do not|must not|may not|before every|for each|on every)\b/i

const MAX_RULE_CHARS = 160

/** A standing rule of a sentence, or undefined. */
export function readRule(sentence: Sentence): Finding | undefined {
  const { shape } = sentence
  if (shape.length < 8 || NOT_A_RULE.test(shape) || TASK.test(shape)) return undefined
  // One mark of a quotation: the sentence is the beginning of somebody's words.
  if (/^[^"]*"[^"]*$/.test(shape)) return undefined
  // Only a word that says so makes a rule of what is said of the things at hand.
  if ((AT_HAND.test(shape) || SEEN.test(shape)) && !LASTS.test(shape)) return undefined
  const isRule =
    STANDING.test(shape) || isBan(shape) || ELSEWHERE.test(shape) || (!isReport(shape) && isNorm(shape))
  if (!isRule) return undefined
  const value = ruleText(shape)
  if (value.length < 6) return undefined
  const slot = proseSlot(value)
  return {
    kind: 'choice',
    slot: `rule:${slot}`,
    value,
    area: '',
    start: sentence.start,
    end: sentence.end,
    isChange: false,
  }
}

/** "We will not use Docker": what is not used now may be used later, what will not be is ruled out. */
const REFUSES =
  /^(?:\W*(?:and|also|so|but|ok|okay|no)[,\s]+)*(?:(?:we|you|nobody|no one|the team)\s+(?:will not|won't|shall not|must not|should not|shouldn't|will never)|(?:do not|don't|never|please don't|please do not))\s+(?:ever\s+)?(?:use|introduce|add|adopt|depend on|rely on|touch|bring in|pull in|install|support)\s+(?!(?:it|that|this|them|these|those|to|me|us|any more|more|the|my|your|his|her|all|so|too|words?|such)\b)(?!.*\b(?:yet|for now|right now|this time|today|at the moment|until|here|anyway|in this (?:answer|reply|example)|any ?more|after all|any longer)\b)\S/i

/** A sentence that lays down how things of a kind are, and needs no word that says so. */
function isNorm(shape: string): boolean {
  if ([GENERIC_PLURAL, UNIVERSAL, OBLIGATION, RECURRING, NORM_ELSEWHERE].some((norm) => norm.test(shape)))
    return true
  if (REFUSES.test(shape)) return true
  // That a technology is not used is no rule yet.
  return GENERAL_BAN.test(shape) && !findTechnologies(shape).some(({ sure }) => sure)
}

function isBan(shape: string): boolean {
  const groups = BAN.exec(shape)?.groups
  if (groups === undefined) return false
  if (groups.none !== undefined) return !NO_BAN.test(groups.none) && KIND.test(`${groups.none} `.trim())
  return KIND.test((groups.what ?? '').trim())
}

/** The rule in its own words, without what only leads to it. */
function ruleText(shape: string): string {
  const said = shape
    .replace(/\s+/g, ' ')
    .replace(
      /^\W*(?:(?:and|also|but|please|pls|ok|okay|so|one more thing|note|remember|important|rule|reminder|btw|yes|no(?=[,:])|plus|oh|another thing|from now on|going forward|from here on(?: out)?|as a rule|bitte|ab jetzt|por favor|s'il te plaît)\b[,:.]?\s+)+/i,
      '',
    )
    .replace(/[\s.!;,。！]+$/, '')
    .replace(/,?\s+(?:from now on|going forward|please)$/i, '')
  return said.slice(0, MAX_RULE_CHARS).trim()
}
