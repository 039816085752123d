import { areaOf } from './area.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { AS_IT_IS } from './lexicon/at-hand-words.ts'
import {
  BOUND,
  BOUNDED,
  COUNTED_UNIT,
  IS_LEAST,
  MEASURED,
  MEASUREMENT,
  NOT_IN_NAME,
  SAYS_OF,
  SETTING_VERB,
} from './lexicon/setting-words.ts'
import { isReport } from './moods.ts'
import { isSettingName, settingSlot } from './setting-names.ts'

/** How a value and a name are tied together, by the words before the value. The first that fits counts. */
const LINKS: readonly { readonly link: RegExp; readonly tie: Tie }[] = [
  { link: /\s*(?:=|:|→|->|=>|：|＝|—)\s*$/u, tie: 'sign' },
  { link: BOUNDED, tie: 'bounded' },
  {
    link: /(?<!\p{L})(?:should|must|shall|will|has to|have to|needs? to|stays?|remains?|soll|muss|doit|debe|deve|должен)(?:\s+(?:be|stay|remain|sein|être|ser))?(?:\s+(?:set )?(?:to|at))?\s*$/iu,
    tie: 'norm',
  },
  { link: /(?<!\p{L})(?:is|are|be|equals?|ist|sind|est|es|son|é|são|равен|равно)\s*$/iu, tie: 'be' },
  { link: /(?:は|を|が|은|는|이|가|을|를)\s*$/u, tie: 'be' },
  {
    link: /(?<!\p{L})(?:after|within|every|for|pendant|durante|während|nach|alle|après|cada|tras|после|каждые)\s*$/iu,
    tie: 'time',
  },
  {
    link: /(?<!\p{L})(?:(?:passe|steigt|sinkt|sube|baja|sobe|fica)\s+)?(?:to|at|auf|à|a|en|em|para|до|на|в|as|under|below|above|by|around)\s*$/iu,
    tie: 'to',
  },
  { link: /(?<!\p{L})(?:of|von|de|из|with|from)\s*$/iu, tie: 'of' },
]
type Tie = 'sign' | 'bounded' | 'norm' | 'be' | 'time' | 'to' | 'of' | 'none'

/** What may stand behind a value that is all that is said. */
const CLOSED =
  /^\s*(?:[,;.!?)，、。\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|$|ab[.!]?$|(?:and|und|y|et|e|и|then|please|instead|for|in|on|per|each|max|maximum|now|from now on|because|so|is|but|of (?:inactivity|idle\w*|silence)|dann|danach|seulement|ahora|от)(?!\p{L}))/iu
/** A unit that no list has: a plural behind which nothing follows. */
const UNIT_BEHIND = /^\s\p{Ll}{3,12}s(?=\s*(?:[.,;!)]|$|(?:per|for|please)\b))/u
const UNIT_LEAD = /(?:\b(?:is|are|be|of|to|at)|[=:])\s*$/i
/** "use 7 as the seed". */
const ROLE =
  /^\s+(?:as|for|als|comme|como)\s+(?:the|a|an|our|its)?\s*(?<name>[\p{L}][\p{L} -]{2,30}?)\s*(?:[,;.!]|$|\b(?:in|for|on|everywhere|and|please)\b)/iu
/** A deadline of milliseconds is a setting, one of weeks a date. */
const SHORT = /\d\s?(?:µs|ms|s|sec\w*|min\w*|milliseconds?|minutes?|[kmg]i?b)$/i
/** "a deadline of 40 ms", "watermark of 20 MB": all that is said. */
const OPENS = /^\s*(?:(?:and|also|with|please|ok|then)\s+)*(?:an?\s+)?\p{L}/iu
const CLOCK = /^\d{1,2}(?::\d{2}|\s?(?:am|pm|uhr))/i
/** Numbers of one clause that are looked at; a row with more is a table. */
const MAX_VALUES = 12
const MAX_NAME_WORDS = 4

/**
 * Settings by their values: for each number with or without a unit, the words before it say what it belongs to and how.
 * General where `readSettings` is exact.
 */
export function readValues(clause: Clause): Finding[] {
  const { shape } = clause
  if (!/\d|\b(?:hour|minute|second|day|week|month|year)s?\b/.test(shape)) return []
  const found: Finding[] = []
  let from = 0
  for (const match of [...shape.matchAll(MEASURED)].slice(0, MAX_VALUES)) {
    const start = match.index
    const [unit = ''] = UNIT_BEHIND.exec(shape.slice(start + match[0].length)) ?? []
    const counts = unit !== '' && /\d$/.test(match[0]) && UNIT_LEAD.test(shape.slice(from, start))
    const end = start + match[0].length + (counts ? unit.length : 0)
    const value = shape.slice(start, end).trim()
    const name = nameOf(clause, shape.slice(from, start), value, shape.slice(end), found.length > 0)
    if (name !== undefined) found.push(setting(clause, name, value, shape.slice(end)))
    from = end
  }
  return found
}

function setting(clause: Clause, name: string, value: string, behind: string): Finding {
  return {
    kind: 'choice',
    slot: `setting:${settingSlot(name)}`,
    value: value.replace(/[.,]$/, ''),
    area: areaOf(/^\s+(?:for|in|on)\s[^,.;]*/i.exec(behind)?.[0] ?? '', ''),
    start: clause.start,
    end: clause.end,
    isChange:
      /\b(?:instead|no longer|now|actually|from now on|change|bump|raise|lower|reduce|increase)\b/i.test(
        clause.sentence,
      ),
    ...(clause.reason !== undefined && { reason: clause.reason }),
  }
}

/** What the value belongs to, or undefined when nobody says that it is to be so. */
function nameOf(
  { shape, isLabelled }: Clause,
  before: string,
  value: string,
  behind: string,
  goesOn: boolean,
): string | undefined {
  const report = isReport(shape)
  const bound = BOUND.exec(before)?.[0] ?? ''
  const left = before.slice(0, before.length - bound.length)
  const isClosed = CLOSED.test(behind)
  const chunk = left.slice(Math.max(...[',', ';', '(', '，', '、'].map((mark) => left.lastIndexOf(mark) + 1)))
  if (bound !== '') {
    const counted =
      COUNTED_UNIT.exec(value)?.groups?.noun ??
      /^\s*(?<noun>[\p{L}-]{3,}(?:\s(?!(?:per|in|for|and|then|each|at|on|are|is)\b)[\p{L}-]{3,})?)/u.exec(
        behind,
      )?.groups?.noun
    const isLead = /^\s*(?:\S+\s+){0,2}$/u.test(chunk)
    if (counted !== undefined && isLead && !report)
      return `${IS_LEAST.test(bound) ? 'min' : 'max'} ${counted}`
  }
  const role = ROLE.exec(behind)?.groups?.name
  if (
    role !== undefined &&
    /(?:^|\s)(?:use|take|set|try|have|with|make it|keep|nimm|utilise|usa)\s*$/iu.test(chunk)
  )
    return role
  // "keep 14 of them": what they are was said before.
  const counted = /(?:^|\s)(?<verb>keep|retain|store|allow|show|run|limit|use)\s*$/iu.exec(chunk)?.groups
    ?.verb
  if (counted !== undefined && /^\s+of (?:them|those|these)\b/i.test(behind)) return `${counted} count`
  const { tie, rest } = tieOf(chunk)
  const { name, verb, isAll } = lastPhrase(rest)
  const isCounted = /^\s*$/.test(chunk) && goesOn && /^\s*\p{L}+\s*(?:[,;.]|$)/u.test(behind)
  if (isCounted) return /\p{L}+/u.exec(behind)?.[0]
  if (!isClosed) return undefined
  const hasUnit = /\d\s?[\p{L}%×]/u.test(value)
  const isMeasured = MEASUREMENT.test(name) && !(SHORT.test(value) && /(?:deadline|budget)$/i.test(name))
  if (AS_IT_IS.test(name)) return undefined
  if (name === '' || isMeasured) {
    // "log files are rotated daily and kept for 30 days": the subject stands further away.
    const subject = tie === 'bounded' && !report ? firstPhrase(rest) : ''
    return subject === '' ? undefined : subject
  }
  if (tie === 'time' && isAll && LASTING.test(name) && !report) return name.replace(LASTING, '')
  const isOrder = verb !== undefined && (tie === 'to' || tie === 'of' || tie === 'time' || tie === 'sign')
  if (isOrder) return name
  if (tie === 'sign') return isAll ? name : undefined
  if (report) return undefined
  if (tie === 'bounded') return /^(?:it|this|that)$/i.test(name) ? undefined : name
  if (tie === 'norm') return name
  const isNoun = isSettingName(name)
  if (tie === 'to' && isAll && CLOCK.test(value)) return name
  if (
    hasUnit &&
    ((isLabelled && tie === 'none') || (tie === 'of' && isAll && OPENS.test(chunk) && !SAYS_OF.test(behind)))
  )
    return name
  if (tie === 'be' && isAll && hasUnit && !/^(?:\W*)(?:my|his|her|their|this|that|these)\b/i.test(chunk))
    return name
  if (tie === 'time' || (tie === 'to' && /ing$/.test(name)))
    return isAll && (isNoun || /ing$/.test(name)) ? name : undefined
  return isNoun && (tie === 'be' || tie === 'of' || tie === 'to' || isAll) ? name : undefined
}

function tieOf(chunk: string): { tie: Tie; rest: string } {
  for (const { link, tie } of LINKS) {
    const match = link.exec(chunk)
    if (match === null) continue
    const rest = chunk.slice(0, match.index)
    return {
      tie,
      rest:
        tie === 'bounded'
          ? rest.replace(
              /\s+(?:is|are|be|will be|should be|must be|gets?|werden|wird|sont|est|son|está|são)\s*$/iu,
              '',
            )
          : rest,
    }
  }
  return { tie: 'none', rest: chunk }
}

/** What lasts, in the words of languages that put the verb before the value. */
const LASTING =
  /\s(?:läuft|laufen|gilt|gelten|bleibt|bleiben|expire\w*|dure\w*|dura\w*|vence\w*|caduca\w*|истека\p{L}+|действу\p{L}+|хран\p{L}+)$/iu

/** The noun phrase that a stretch begins with. */
function firstPhrase(text: string): string {
  const words = text.match(/[\p{L}_$][\p{L}\p{N}_.$'-]*/gu) ?? []
  const from = words.findIndex((word) => !NOT_IN_NAME.test(word))
  const rest = from === -1 ? [] : words.slice(from)
  const to = rest.findIndex((word) => NOT_IN_NAME.test(word) || SETTING_VERB.test(word))
  return rest.slice(0, to === -1 ? 0 : Math.min(to, MAX_NAME_WORDS)).join(' ')
}

/** The name that a stretch ends in, the verb that governs it, and whether there is nothing else. */
function lastPhrase(text: string): { name: string; verb?: string; isAll: boolean } {
  const words =
    text
      .replace(/(?<=[\u3040-\u9fff\uac00-\ud7af])(?:[はをが은는이가을를])(?=\s|$)/gu, ' ')
      .match(/[\p{L}_$][\p{L}\p{N}_.$'-]*/gu) ?? []
  const name: string[] = []
  let index = words.length - 1
  for (; index >= 0 && name.length < MAX_NAME_WORDS; index--) {
    const word = words[index] ?? ''
    if (NOT_IN_NAME.test(word) || SETTING_VERB.test(word)) break
    name.unshift(word)
  }
  const verb = words.slice(0, index + 1).find((word) => SETTING_VERB.test(word))
  const isAll = words.slice(0, index + 1).every((word) => NOT_IN_NAME.test(word))
  return { name: name.join(' '), ...(verb !== undefined && { verb }), isAll }
}
