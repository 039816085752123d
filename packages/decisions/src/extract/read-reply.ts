import type { Candidate } from '../candidates/candidate.ts'
import { sameValue } from '../slots/slots.ts'
import type { Finding } from './finding.ts'
import { isQuestion, isReported, isUnsure } from './moods.ts'
import { namedValue } from './named-value.ts'
import { type Offer, offersOf } from './offers.ts'
import { askedSlot, readAnswer } from './read-answers.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { toChoice } from './to-choice.ts'

/** What the user answers to. */
export interface Previous {
  readonly index: number
  readonly text: string
}

/** A longer turn is about something of its own; only its first sentence can be an answer. */
const MAX_REPLY_CHARS = 400

const YES = new RegExp(
  String.raw`^\W*(?:k|kk|yup|yes pls|(?:(?:ok|okay|okey|hm+|ah|oh|well|great|perfect|nice|cool)[,.! ]+)*(?:yes|yeah|yea|yep|yup|sure|ok|okay|absolutely|definitely|of course|go ahead|go for it|do it|do that|do so|do all|sounds (?:good|great|fine|right|perfect|reasonable)|looks (?:good|great|fine)|lgtm|agreed|i agree|please do|that works|works for me|fine by me|fine with me|that's fine|approved|accepted|make it so|ship it|let's do (?:it|that|this)|let's go(?: with (?:that|it|this|your (?:suggestion|proposal|recommendation)))?|go with (?:that|it|this|your (?:suggestion|proposal|recommendation))|i like (?:it|that)|good (?:idea|call|plan|choice)|great (?:idea|call|plan)|exactly|correct|perfect|fine|alright|all right|sold|convinced|you convinced me|i'm in|makes sense|sounds like a plan|why not|by all means|be my guest|no objections?|fair enough|affirmative|wfm|good by me|yes to (?:both|all)|approve[ds]?|confirmed|sgtm|👍|✅|👌|\+1|deal|both|all of (?:them|it|the above))|` +
    String.raw`ja|jawohl|jep|genau|einverstanden|passt|klingt gut|machen wir so|mach das|so machen wir|in ordnung|oui|d'accord|ok pour|vas-y|ça marche|ça me va|parfait|très bien|s[ií]|vale|dale|de acuerdo|claro|perfecto|me parece bien|hazlo|adelante|sim|pode ser|pode|isso|combinado|perfeito|concordo|fechado|beleza)(?![\p{L}\p{N}])` +
    String.raw`|^\W*(?:да|давай(?:те)?|хорошо|согласен|согласна|ок|окей|отлично|договорились|пойд[её]т|звучит хорошо|好|可以|行|是的|没问题|同意|就这样|はい|お願い|了解|いいですね|それで|賛成|うん|ええ|네|예|좋아|좋습니다|그래|그렇게|동의|응)`,
  'iu',
)
const GO_ON = /\b(?:go ahead|proceed|go|continue) with (?:it|that|this|those|them)\b/i
const NO =
  /^\W*(?:no|nope|nah|not (?:that|really|now|yet)|don't|do not|neither|none|wait|stop|hold on|nein|non|нет|不|いいえ|아니)(?![\p{L}])/iu
const REVERSED = /\b(?:but not|but (?:don't|no)|however|except|instead|not (?:sure|yet)|later|rather)\b/i
/** A bare "ok, now …" goes on to something else. */
const MOVES_ON =
  /^\W*(?:ok|okay|great|perfect|nice|cool|good|right|alright)[,.! ]+(?:now|next|so|let's|i|we|what|how|why|can|could|should|is|are|the|there|but|and|then|show|run|try|fix|add|write|create|make|read|check|look|open|remove|delete|commit|push|explain|tell)\b(?! (?:do|go with|go for) (?:that|it|this|ahead))/i

const ORDINALS: readonly (readonly [RegExp, number])[] = [
  [
    /(?<!\p{L})(?:first|1st|former|erste[nrs]?|première?|primer[oa]?|primeir[oa]|перв\p{L}+)(?!\p{L})|第一|一つ目|一番目|첫 ?번째|첫째/iu,
    1,
  ],
  [
    /(?<!\p{L})(?:second|2nd|latter|zweite[nrs]?|deuxième|second[eoa]?|segund[oa]|втор\p{L}+)(?!\p{L})|第二|二つ目|二番目|두 ?번째|둘째/iu,
    2,
  ],
  [
    /(?<!\p{L})(?:third|3rd|dritte[nrs]?|troisième|tercer[oa]?|terceir[oa]|трет\p{L}+)(?!\p{L})|第三|三つ目|三番目|세 ?번째|셋째/iu,
    3,
  ],
  [
    /(?<!\p{L})(?:fourth|4th|vierte[nrs]?|quatrième|cuart[oa]|quart[oa]|четв[её]рт\p{L}+)(?!\p{L})|第四|네 ?번째/iu,
    4,
  ],
  [
    /(?<!\p{L})(?:last|letzte[nrs]?|dernière?|últim[oa]|последн\p{L}+)(?: one| option)(?!\p{L})|最后一个|最後/iu,
    -1,
  ],
]
const PICK = new RegExp(
  String.raw`(?:\b(?:option|choice|number|variant|approach|möglichkeit|variante|opción|opção|вариант)|#|方案|选项|オプション|옵션)\s*[#(]?(?<named>[a-h]|\d{1,2})\b` +
    String.raw`|^\W*(?:(?:ok|okay|yes|yeah|sure|then|i'd say|i say|i'll take|i'd go with|i'll go with|let's (?:do|go with|go for|use|take)|go (?:with|for)|pick|take|use|choose|i (?:choose|pick|prefer|vote for))[,:]?\s+)*[(]?(?<bare>[a-h]|\d{1,2})[)]?(?:\s+(?:please|it is|then|for now|looks (?:good|best)|sounds (?:good|best)|is (?:good|fine|best|better)))?\s*(?:[.,!:;–—]|$|\s+(?:because|since|but|with)\b)`,
  'iu',
)
/** "the second sentence is wrong" picks nothing. */
const ORDINAL_PICK =
  /(?:^\W*(?:(?:ok|okay|yes|yeah|sure|then)[,.]?\s+)*(?:the\s+)?|\b(?:go|going) (?:with|for) (?:the |your )?|\b(?:take|use|pick|choose|prefer|do|like|want|adopt|vote for)\s+(?:the |your )?)(?:first|second|third|fourth|last|former|latter|1st|2nd|3rd|4th)(?:\s+(?:one|option|approach|choice|suggestion|proposal|alternative|solution|variant))?(?=\s*(?:[.,!;–—]|$)|\s+(?:please|it is|then|because|since|but|with|for|and|instead|sounds|looks|is|works)\b)|(?:nehmen|nimm|lieber|lass uns|prenons|prends|choisis|la|le|el|elijo|usamos|vamos con|a|o|vamos com|давай|берем|берём|возьмем|возьмём|用|选|第|で|に|로|으로|째)/iu

/** What a user's answer takes up, and which of the findings in it are better understood as an answer. */
export interface Reply {
  readonly accepted: readonly Candidate[]
  /** Findings of the turn, with the slots of the offers that they take up. */
  readonly findings: readonly Finding[]
}

/** Reads a user's turn against what the assistant's message before held out. */
export function readReply(
  text: string,
  index: number,
  previous: Previous | undefined,
  findings: readonly Finding[],
): Reply {
  const [sentence] = sentencesOf(text.slice(0, 4096))
  if (previous === undefined || typeof previous.text !== 'string' || sentence === undefined)
    return { accepted: [], findings }
  const opening = sentence.shape
  if (isQuestion(opening) || isReported(opening)) return { accepted: [], findings }
  const offers = offersOf(previous.text)
  if (offers.length === 0) {
    const [only, ...others] = findings
    if (only === undefined) return { accepted: [], findings: answered(text, sentence, previous) }
    // "Which license?" "Apache.": the question says what the name is for.
    const asked = text.length < 40 && others.length === 0 ? askedSlot(previous.text) : undefined
    const isOther = asked !== undefined && only.kind === 'choice' && !only.slot.includes(':')
    return { accepted: [], findings: isOther ? [{ ...only, slot: asked }] : findings }
  }
  const { confirmed, rest } = confirmations(findings, offers, text)
  const inSlots = rest.filter((finding) => !declines(finding, offers)).map((finding) => inSlotOf(finding, offers))
  const short = text.length <= MAX_REPLY_CHARS
  const picked = short ? pickOf(opening, offers) : []
  const open = offers.filter((offer) => !confirmed.includes(offer))
  const named = picked.length > 0 ? [] : namedOf(text, sentence, open, inSlots, short)
  const taken =
    picked.length > 0 ? picked : named.length > 0 || NO.test(opening) ? [] : agreedOf(opening, text, offers)
  const free = taken.filter(
    (offer) =>
      !isRefused(offer.value, text) &&
      !confirmed.includes(offer) &&
      ![...inSlots, ...named].some(
        ({ slot, area, kind }) =>
          kind === 'choice' &&
          slot === offer.slot &&
          (area === offer.area || area === '' || offer.area === ''),
      ),
  )
  const isOpen = findings.length + picked.length + named.length + confirmed.length === 0
  const values = isOpen ? answered(text, sentence, previous) : []
  const agreed = [
    ...confirmed,
    ...free.filter(({ slot }) => !values.some((value) => value.slot === slot)),
  ]
  const accepted = agreed.length === 0 ? [] : [acceptance(index, sentence, previous, agreed)]
  return { accepted, findings: [...inSlots, ...named, ...values] }
}

/** A value or a phrase that answers the question. */
function answered(text: string, sentence: Sentence, previous: Previous): Finding[] {
  const values = namedValue(sentence, previous.text)
  if (values.length > 0 || YES.test(sentence.shape) || NO.test(sentence.shape)) return values
  return readAnswer(sentence, text, previous.text)
}

/** "yes to Vitest, no to Biome". */
function isRefused(value: string, text: string): boolean {
  const said = text.slice(0, MAX_REPLY_CHARS).toLowerCase()
  const at = said.indexOf(value.toLowerCase())
  return at > 0 && /\b(?:no|not|without|except|skip|minus|kein\w*|sans|sin|sem|без)\s+(?:to\s+|for\s+|the\s+)*$/.test(said.slice(0, at))
}

/** "skip Optuna", of what was only offered: it never held. */
function declines({ kind, value, slot }: Finding, offers: readonly Offer[]): boolean {
  return kind === 'end' && value !== '' && offers.some((offer) => sameValue(slot, offer.value, value))
}

/** A value that was offered goes where the offer put it. */
function inSlotOf(finding: Finding, offers: readonly Offer[]): Finding {
  if (finding.kind !== 'choice') return finding
  const offer =
    offers.find(
      (other) => sameValue(other.slot, other.value, finding.value) && other.slot !== finding.slot,
    ) ??
    offers.find(
      (other) =>
        other.slot.startsWith('setting:') &&
        finding.slot.startsWith('setting:') &&
        other.slot.endsWith(`-${finding.slot.slice(8)}`),
    )
  const isSure = offers.some((other) => other.slot === finding.slot)
  return offer === undefined || isSure
    ? finding
    : { ...finding, slot: offer.slot, area: finding.area || offer.area }
}

/** "parquet is fine", "Biome: yes": the user says yes to one of the offers by its name. */
const CONFIRMS =
  /^\s*(?:[:,–—-]\s*)?(?:yes|ok|okay|sure|fine|good|is (?:fine|ok|okay|good|great|perfect)|sounds (?:good|great|fine)|works(?: for (?:me|us))?|ja|oui|sí|sim|да)(?=[\s.,;!]|$)/i

function confirmations(findings: readonly Finding[], offers: readonly Offer[], text: string) {
  const confirmed: Offer[] = []
  for (const offer of offers) {
    const at = text.slice(0, 2000).toLowerCase().indexOf(offer.value.toLowerCase())
    if (at !== -1 && CONFIRMS.test(text.slice(at + offer.value.length, at + offer.value.length + 40)))
      confirmed.push(offer)
  }
  const rest = findings.filter(
    ({ value, kind }) =>
      kind !== 'choice' || !confirmed.some((offer) => sameValue(offer.slot, offer.value, value)),
  )
  return { confirmed, rest }
}

function pickOf(opening: string, offers: readonly Offer[]): Offer[] {
  const options = offers.filter(({ option }) => option !== undefined)
  if (options.length < 2 || isUnsure(opening)) return []
  const { named, bare } = PICK.exec(opening)?.groups ?? {}
  const label = (named ?? bare)?.toLowerCase()
  const last = Math.max(...options.map(({ option = 0 }) => option))
  let wanted: number | undefined
  if (label !== undefined) wanted = /^\d+$/.test(label) ? Number(label) : label.charCodeAt(0) - 96
  else if (ORDINAL_PICK.test(opening)) wanted = ORDINALS.find(([word]) => word.test(opening))?.[1]
  return options.filter(({ option }) => option === (wanted === -1 ? last : wanted))
}

/** "sessions.db, please": the user says the value, the offer says what it is for. */
function namedOf(
  text: string,
  sentence: Sentence,
  offers: readonly Offer[],
  findings: readonly Finding[],
  short: boolean,
): Finding[] {
  if (!short || isUnsure(sentence.shape) || NO.test(sentence.shape)) return []
  const said = sentence.shape.toLowerCase()
  const offer = offers.find(({ value, slot }) => {
    if (value.length < 2 || findings.some((finding) => isAbout(finding, slot, value))) return false
    return wordsIn(said, value.toLowerCase()) || spelledIn(sentence.shape, slot, value)
  })
  if (offer === undefined || !ANSWERS.test(text.slice(sentence.start, sentence.end).replace(/[`"'“”]/g, '')))
    return []
  // Two of them named: which one is meant stays open.
  const others = offers.filter(({ value }) => value !== offer.value && wordsIn(said, value.toLowerCase()))
  if (others.length > 0) return []
  return [
    {
      kind: 'choice',
      slot: offer.slot,
      value: offer.value,
      area: offer.area,
      start: sentence.start,
      end: sentence.end,
      isChange: false,
    },
  ]
}

/** Whether a finding chooses a value or gives it up. */
function isAbout(finding: Finding, slot: string, value: string): boolean {
  const { replaces } = finding
  return sameValue(slot, finding.value, value) || (replaces !== undefined && sameValue(slot, replaces, value))
}

const ANSWERS =
  /^\W*(?:(?:ok|okay|yes|yeah|sure|then|hmm+|well|alright|right|i think|i'd say|definitely|probably)[,.]?\s+)*(?:(?:let's|let us|i'll|i'd|we'll|i|we|please)\s+)?(?:(?:rather|prefer|like|want|to|go|going|do|use|take|pick|choose|with|for|vote|keep|have|the|a|an|make it|stick)\s+)*[\p{L}\d][\p{L}\p{N}_.+#/@-]*(?:\s+[\p{L}\p{N}_.+#/@-]+){0,2}?(?:\s+(?:please|it is|then|sounds (?:good|great|fine)|is (?:fine|good|better|best|ok|perfect)|works(?: for me)?|wins|instead|for (?:now|this|that|sure|me)|thanks|one|option|approach))*\s*(?:[.,!:;–—]|$|\b(?:because|since|as|so|but|and|it's|for|with)\b)/iu

function wordsIn(text: string, value: string): boolean {
  const at = text.indexOf(value)
  return (
    at !== -1 &&
    !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) &&
    !/[\p{L}\p{N}]/u.test(text.charAt(at + value.length))
  )
}

function spelledIn(shape: string, slot: string, value: string): boolean {
  return shape.split(/[\s,.;:!?]+/, 12).some((word) => word.length > 1 && sameValue(slot, word, value))
}

/** A plain yes takes up what was proposed; of several options it takes none, unless it says all. */
function agreedOf(opening: string, text: string, offers: readonly Offer[]): Offer[] {
  if (!(YES.test(opening) || GO_ON.test(opening)) || REVERSED.test(opening) || isUnsure(opening)) return []
  if ((MOVES_ON.test(opening) && text.length > 40) || opening.includes('?')) return []
  const isAll = /\b(?:all|both|everything|each)\b|都|全部|両方|둘 다|оба|все|beide|todos|tous|ambos/iu.test(
    opening,
  )
  return offers.filter(({ option }) => option === undefined || isAll)
}

function acceptance(
  index: number,
  sentence: Sentence,
  previous: Previous,
  offers: readonly Offer[],
): Candidate {
  return {
    kind: 'accept',
    span: { message: index, start: sentence.start, end: sentence.end },
    choices: offers.map((offer) => toChoice(offer, previous.text.slice(offer.start, offer.end))),
    proposals: offers.map(({ start, end }) => ({ message: previous.index, start, end })),
    isChange: offers.some(({ isChange }) => isChange),
  }
}
