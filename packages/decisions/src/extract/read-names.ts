import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { slug } from './slug.ts'

const NAME = String.raw`[\p{L}_$@.~/][\p{L}\p{N}_$./@:#-]*(?:\(\))?`
const WORDS = String.raw`(?:(?:the|our|this|that|my|function|method|class|file|variable|table|column|field|module|package|service|folder|directory|component|endpoint|route|command|flag|branch|interface|type|repo|repository|project|event|queue|topic|bucket|env var|setting|option|package|library|crate)\s+)*`
const BEHIND = String.raw`(?:\s+(?:function|method|class|file|variable|table|column|field|module|package|service|folder|directory|component|endpoint|route|command|flag|interface|type|param(?:eter)?|prop|hook|helper))?`

const RENAMES: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<![\p{L}])(?:rename|renaming|renamed|renommer?|renomme|renombra(?:r|mos)?|cambia(?:r)? el nombre de|renomei?e|renomear|переименуй(?:те)?|переименовать|переименуем)\s+${WORDS}(?<old>${NAME})${BEHIND}\s*(?:to|into|as|=>|->|→|en|a|para|por|в|на)\s+(?:be called |be )?${WORDS}(?<new>${NAME})`,
    'giu',
  ),
  new RegExp(
    String.raw`(?<![\p{L}])(?:benenne|nenne|benennen wir|nennen wir)\s+${WORDS}(?:(?:die|den|das|der)\s+(?:[\p{L}]+\s+)?)?(?<old>${NAME})\s+(?:in|zu|auf)\s+(?<new>${NAME})(?:\s+um)?`,
    'giu',
  ),
  /(?:把|将)?\s*(?<old>[\w$./-]+)\s*(?:重命名为|改名为|改名叫|改叫|更名为)\s*(?<new>[\w$./-]+)/gu,
  /(?<old>[\w$./-]+)\s*(?:を|という名前を)\s*(?<new>[\w$./-]+)\s*(?:に|へ)(?:改名|リネーム|名前を?変更|変更)/gu,
  /(?<old>[\w$./-]+)\s*(?:을|를|의 이름을)\s*(?<new>[\w$./-]+)\s*(?:으로|로)\s*(?:이름|리네임|개명|변경|바꾸|바꿔)/gu,
  new RegExp(
    String.raw`(?<old>${NAME})\s+(?:should (?:now )?be (?:called|named|renamed(?: to)?)|(?:is|will be|gets?|must be) (?:now )?(?:named|renamed(?: to)?)|(?:is|will be|goes)(?: from now on| now)? (?:called|named|known as|by the name(?: of)?)(?=\s+\S+\s*(?:[.,;!]|$|(?:now|from|instead|because|so|everywhere|in)\b))|(?:heißt|heissen|s'appelle|se llama|chama-se|se chama|называется)(?: jetzt| ab jetzt| ab sofort| künftig| nun| fortan| maintenant| désormais| ahora| agora| теперь| отныне)?)\s+(?:from now on\s+)?(?<new>${NAME})`,
    'giu',
  ),
]

const CALL =
  /(?:^|[,;:]\s*|\b(?:and|let'?s|please|we'll|we will|should|then|ok|okay)\s+)(?:call|name)\s+(?:the|our|this|my)\s+(?:new\s+)?(?<what>[\p{L}][\p{L} -]{2,30}?)\s+(?<new>[\p{L}_$@][\p{L}\p{N}_$./@-]*)\s*(?:[.,;!]|$|\bfor\b|\bfrom now\b|\binstead\b|\beverywhere\b|\bthroughout\b|\bin\b|\bplease\b)/giu

const INSTEAD_OF = /\b(?:not|instead of|rather than|no longer)\s+([\p{L}_$][\p{L}\p{N}_$./-]*)/iu

/** "the parameter that holds the cut-off date is called `x`": a thing gets its first name. */
const THING_NAMED =
  /(?:^|[\s,])(?:the|an?|our|its)\s+(?<what>\p{L}[\p{L}-]*(?:\s(?!that\b|which\b|holds?\b|for\b|is\b|are\b|of\b|with\b)\p{L}[\p{L}-]*){0,3}(?:\s+of\s+(?:the\s+)?\p{L}[\p{L}-]*)?)\s+(?:is|are|will be|shall be|should be|must be|gets?)\s+(?:called|named)\s/iu

const BECOMES = new RegExp(
  String.raw`(?<old>${NAME})\s*(?:becomes|is now|turns into|→|->|=>)\s*(?<new>${NAME})`,
  'gu',
)
/** Two words with a hump or an underscore: nothing but names in code. */
const FILE_NAME = /^[\w./-]+\.[a-z]\w{0,9}$/
const IDENTIFIER =
  /^[\p{L}$][\p{L}\p{N}$]*(?:\d[\p{N}]*|-[\p{L}\p{N}-]+|_[\p{L}\p{N}]+|[\p{Ll}\p{N}]\p{Lu}[\p{L}\p{N}]*)+$/u
const CALL_IT =
  /(?:^|[,;:]\s*|\b(?:let's|we'll|please|and|i'll|should|to)\s+)(?:call|name) it\s+(?<new>[\p{L}_$@][\p{L}\p{N}_$./@-]{2,})\s*(?:[.,;!]|$)/giu
/** Words for what is named; they are no names. */
const GENERIC =
  /^(?:package|file|project|repo|repository|service|app|module|function|method|class|table|column|library|product|tool|branch|command|component|it|this|config|folder|directory)$/i

const STOP =
  /^(?:it|this|that|them|these|those|the|a|an|all|everything|something|to|and|or|in|on|for|more|better|descriptive|be|what|files?|variables?|functions?|tests?|one|both|again|next|recursively|first|twice|once|before|after|by|from|with|when|every|only|directly|during|inside|as)$/i

/** Renames, and names that are given: "rename getUser to fetchUser", "call the service billing-api". */
export function readNames(clause: Clause): Finding[] {
  const found: Finding[] = []
  const place = {
    start: clause.start,
    end: clause.end,
    area: '',
    ...(clause.reason !== undefined && { reason: clause.reason }),
  }
  for (const pattern of RENAMES)
    for (const match of clause.shape.matchAll(pattern)) {
      const old = trim(match.groups?.old)
      const value = trim(match.groups?.new)
      if (old === '' || value === '' || old === value || found.some(({ slot }) => slot === `name:${old}`))
        continue
      if (isWord(old) || isWord(value)) continue
      const thing = isNewName(match, old) ? THING_NAMED.exec(clause.shape)?.groups?.what : undefined
      if (thing !== undefined) {
        found.push({ kind: 'choice', slot: `name:${slug(thing, 5)}`, value, isChange: false, ...place })
        continue
      }
      found.push({
        kind: 'choice',
        slot: `name:${old}`,
        value,
        isChange: true,
        ...(!GENERIC.test(old) && { replaces: old }),
        ...place,
      })
    }
  if (found.length > 0) return found
  for (const { groups } of clause.shape.matchAll(BECOMES)) {
    const [old, value] = [trim(groups?.old), trim(groups?.new)]
    if (isCodeName(old) && isCodeName(value))
      found.push({ kind: 'choice', slot: `name:${old}`, value, isChange: true, replaces: old, ...place })
  }
  for (const { groups } of clause.shape.matchAll(CALL_IT))
    if (!STOP.test(trim(groups?.new)))
      found.push({ kind: 'choice', slot: 'name:it', value: trim(groups?.new), isChange: false, ...place })
  for (const { groups } of clause.shape.matchAll(CALL)) {
    const what = trim(groups?.what).toLowerCase().replaceAll(' ', '-')
    const value = trim(groups?.new)
    const old = INSTEAD_OF.exec(clause.shape)?.[1]
    if (STOP.test(value) || value.length < 2) continue
    if (old !== undefined)
      found.push({
        kind: 'choice',
        slot: `name:${trim(old)}`,
        value,
        isChange: true,
        replaces: trim(old),
        ...place,
      })
    else found.push({ kind: 'choice', slot: `name:${what}`, value, isChange: false, ...place })
  }
  return found
}

/** Whether a word is called something for the first time: a plain word has no name in code yet, and nothing says that it changes. */
function isNewName([said]: RegExpMatchArray, old: string): boolean {
  return !isCodeName(old) && /\b(?:called|named)\b/i.test(said) && !/\b(?:now|renamed)\b/i.test(said)
}

function isCodeName(name: string): boolean {
  return IDENTIFIER.test(name) || FILE_NAME.test(name)
}

function trim(name = ''): string {
  return name.replace(/[.,:;!?]+$/, '').trim()
}

function isWord(name: string): boolean {
  return STOP.test(name)
}
