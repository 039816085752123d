import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords, slotOfWord } from '../slots/slot-lookup.ts'
import { areaOf } from './area.ts'
import { type Cue, cuesIn, type Voice } from './choice-cues.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { type Chosen, objectsAt } from './objects.ts'
import { placeOf } from './place.ts'
import { isName, NAME_PATTERN } from './unknown-value.ts'

/** "Redis is out", "we can do without Redis", "Webpack → Vite". */
const OUT = /^\s*(?:is|are)\s+(?:out|gone|dead|history|no longer (?:needed|used|required|necessary|in use)|not (?:needed|used|required|necessary)(?: any ?more)?|off the table|cancell?ed|dropped|deprecated|removed)(?=[\s.,!]|$)/i
const WITHOUT = /\b(?:do|live|go|get by|manage) without\s+(?:the\s+|a\s+|an\s+)?$/i
const ARROW = /^\s*(?:→|->|=>)\s*$/

function leaving(clause: Clause): Finding[] {
  const { shape, start, end, reason } = clause
  const [mention, next] = findTechnologies(shape)
  if (mention === undefined) return []
  const slot = mention.technology.slots[0] ?? ''
  const base = { start, end, area: '', isChange: true, ...(reason !== undefined && { reason }) }
  if (next !== undefined && ARROW.test(shape.slice(mention.end, next.start)) && /^\W*(?:\w+ ){0,2}$/.test(shape.slice(0, mention.start)))
    return [{ kind: 'choice', slot: sharedSlot({ slot }, next), value: next.value, replaces: mention.value, ...base }]
  const lead = shape.slice(0, mention.start)
  const isOut = OUT.test(shape.slice(mention.end)) && /^\s*(?:(?:so|and|ok|okay|then|the|oh)[\s,]+)*$/i.test(lead)
  return isOut || WITHOUT.test(lead) ? [{ kind: 'end', slot, value: mention.value, ...base }] : []
}

/** What the verbs of a clause choose, change, replace and drop. */
export function readChoices(clause: Clause, voice: Voice): Finding[] {
  const { shape } = clause
  const left = voice === 'user' ? leaving(clause) : []
  if (left.length > 0) return left
  const cues = cuesIn(shape, voice)
  const found: Finding[] = []
  for (const [index, cue] of cues.entries()) {
    const to = cues[index + 1]?.start ?? shape.length
    const region = shape.slice(cue.end, to)
    if (cue.kind === 'end') found.push(...ended(clause, cue, region))
    else if (cue.kind === 'replace') found.push(...replaced(clause, cue, to))
    else if (cue.kind === 'change') found.push(...changed(clause, cue, to))
    else if (cue.kind === 'choose') {
      const chosen = objectsAt(shape, cue.end, to)
      if (chosen.length > 0) found.push(...chosen.map((choice) => asFinding(clause, choice, false)))
      else found.push(...named(clause, cue.end, region))
    }
  }
  const isChange = cues.some(({ kind }) => kind === 'end' || kind === 'change')
  // "Drop Redis and use Memcached": the end of one is the beginning of the other.
  const [first, second] = found
  if (found.length === 2 && first?.kind === 'end' && second?.kind === 'choice' && first.value !== '' && !/^(?:rule|setting|name):/.test(second.slot))
    return [{ ...second, replaces: second.replaces ?? first.value, isChange: true, slot: sharedSlot(first, second) }]
  return found.map((finding) => (isChange && finding.kind === 'choice' && /\b(?:no longer|now|instead)\b/i.test(shape) ? { ...finding, isChange: true } : finding))
}

function sharedSlot(old: Pick<Finding, 'slot'>, chosen: { readonly value: string; readonly slot?: string }): string {
  const slots = findTechnologies(chosen.value)[0]?.technology.slots ?? []
  return slots.includes(old.slot) ? old.slot : (chosen.slot ?? slots[0] ?? old.slot)
}

const INSTEAD = /\b(?:instead|no longer|from now on|any ?more|now on|actually|changed (?:my|our) mind|change of plans?|scratch that|on second thought|after all|correction)\b/i

export function asFinding(clause: Clause, choice: Chosen, isChange: boolean): Finding {
  return {
    kind: 'choice',
    slot: choice.slot,
    value: choice.value,
    area: choice.area,
    start: clause.start,
    end: clause.end,
    isChange: isChange || choice.isChange || INSTEAD.test(clause.sentence),
    ...(choice.replaces !== undefined && { replaces: choice.replaces }),
    ...(clause.reason !== undefined && { reason: clause.reason }),
  }
}

/** "use Foobar as the database", "sessions.db for the session store": a name that only its slot explains. */
const NAMED = new RegExp(
  String.raw`^\s*(?:(?:the|an?|our)\s+)?(${NAME_PATTERN})\s+(as|for|als|comme|como|для|como)\s+(?:(?:the|our|an?|my|its|main|primary|new|all)\s+)*([^,.;]{2,60})`,
)

function named(clause: Clause, at: number, region: string): Finding[] {
  const match = NAMED.exec(region)
  if (match === null) return []
  const [, value = '', link = '', purpose = ''] = match
  const word = findSlotWords(purpose)[0]
  if (word === undefined || word.start > 12 || !isName(value, link === 'as')) return []
  const area = areaOf(`for ${purpose}`, word.slot)
  const place = { slot: word.slot, value, area, start: at, end: at + match[0].length, isChange: false }
  return [asFinding(clause, place, false)]
}

/** "switch (the queue) (from Redis) to Kafka", "upgrade to Node 22". */
function changed(clause: Clause, cue: Cue, to: number): Finding[] {
  const region = clause.shape.slice(cue.end, to)
  const target = [...region.matchAll(/(?:^|\s)(?:over to|back to|to|onto|into|for)\s+(?=\S)/gi)].find(({ index = 0, 0: word }) => {
    const behind = cue.end + index + word.length
    return objectsAt(clause.shape, behind, to).length > 0
  })
  if (target === undefined) return /^\s*(?:to|over to)?\s*$/.test(region) ? [] : changedName(clause, region)
  const between = region.slice(0, target.index)
  const chosen = objectsAt(clause.shape, cue.end + target.index + target[0].length, to)
  const old = findTechnologies(between).at(-1)
  const fromBehind = /\bfrom\s+(?:the\s+|our\s+)?/i.exec(region.slice(target.index))
  const older = old ?? (fromBehind ? findTechnologies(region.slice(target.index + fromBehind.index))[0] : undefined)
  const word = findSlotWords(between).find(({ slot }) => old === undefined || slot !== old.technology.slots[0])
  return chosen.slice(0, old ? 1 : undefined).map((choice) => {
    const slot = slotFrom(choice, word?.slot, old?.technology.slots)
    const area = choice.area || areaOf(`for ${between.replace(/\bfrom\b.*$/i, '')}`, slot)
    const same = older?.value === choice.value
    return asFinding(
      clause,
      { ...choice, slot, area: word || /\bfrom\b/i.test(between) ? area : choice.area, ...(older && !same && { replaces: older.value }) },
      true,
    )
  })
}

/** "switch the datastore to Foobar". */
function changedName(clause: Clause, region: string): Finding[] {
  const match = new RegExp(String.raw`^\s*(?:(?:the|our|my)\s+)?([\w -]{2,40}?)\s+(?:over )?to\s+(${NAME_PATTERN})\s*[.!]?\s*$`).exec(region)
  const slot = match?.[1] === undefined ? undefined : slotOfWord(match[1])
  if (slot === undefined || !isName(match?.[2] ?? '')) return []
  const value = match?.[2] ?? ''
  return [asFinding(clause, { slot, value, area: '', start: 0, end: 0, isChange: true }, true)]
}

/** "replace X with Y", "swap X for Y", "substitute Y for X". */
function replaced(clause: Clause, cue: Cue, to: number): Finding[] {
  const region = clause.shape.slice(cue.end, to)
  const [first, second] = findTechnologies(region)
  if (first === undefined || second === undefined) return []
  const link = region.slice(first.end, second.start)
  if (!/\b(?:with|by|for|to)\s*(?:the|an?|our|plain)?\s*$/i.test(link)) return []
  const isSubstitute = /^substitut/i.test(clause.shape.slice(cue.start, cue.end)) && /\bfor\b/i.test(link)
  const [old, next] = isSubstitute ? [second, first] : [first, second]
  const place = placeOf(next, region.slice(second.end), '', clause.shape)
  const word = findSlotWords(`${region.slice(0, first.start)} ${link}`)[0]
  const choice = { value: next.value, area: place?.area ?? '', start: 0, end: 0, isChange: true, replaces: old.value }
  const slot = slotFrom({ ...choice, slot: place?.slot ?? next.technology.slots[0] ?? '' }, word?.slot, old.technology.slots)
  return [asFinding(clause, { ...choice, slot }, true)]
}

/** The slot of the new value: by the word that was said, else where the old one was. */
function slotFrom(choice: Chosen, word: string | undefined, oldSlots: readonly string[] = []): string {
  const slots = findTechnologies(choice.value)[0]?.technology.slots ?? []
  if (word !== undefined && slots.includes(word)) return word
  const shared = oldSlots.find((slot) => slots.includes(slot))
  return shared ?? choice.slot
}

const WHOLE_SLOT = /^\s*(?:(?:the|our|any|all|that|this|my)\s+)*([\w /-]{2,30}?)(?:\s+(?:entirely|completely|altogether|for now|layer|again|thing|idea|requirement|support|please|too|as well|decision|choice|rule))*\s*[.!]?\s*$/i

/** What no longer holds. */
function ended(clause: Clause, cue: Cue, region: string): Finding[] {
  const verb = clause.shape.slice(cue.start, cue.end)
  const bound = region.search(/,|\band\b|\bin favou?r of\b|\bfor\s+(?=[A-Z])|\bfrom (?:the|our)\b|\s(?:to|into)\s/i)
  const mentions = findTechnologies(region)
  const [old, next] = mentions
  const base = { start: clause.start, end: clause.end, isChange: true, ...(clause.reason !== undefined && { reason: clause.reason }) }
  if (old !== undefined && (bound === -1 || old.start < bound || old.end <= bound + 12)) {
    const lead = region.slice(0, old.start)
    if (!/^\s*(?:(?:the|our|all|from|of|using|on|about|any|that|old|support for|whole|entire|with|it|idea of|use of)\s+)*$/i.test(lead)) return []
    const noun = /^\s+([\w-]+)/.exec(region.slice(old.end))?.[1] ?? ''
    if (!isEndOf(noun, verb)) return []
    const place = placeOf(old, region.slice(old.end, next?.start), '', '') ?? { slot: old.technology.slots[0] ?? '', area: '' }
    const link = next === undefined ? '' : region.slice(old.end, next.start)
    if (next !== undefined && /\b(?:in favou?r of|for|to|and (?:use|go with|switch to|move to))\s*$/i.test(link)) {
      const slots = next.technology.slots
      const slot = slots.includes(place.slot) ? place.slot : (slots[0] ?? '')
      return [{ kind: 'choice', slot, value: next.value, area: '', replaces: old.value, ...base }]
    }
    return [{ kind: 'end', slot: place.slot, value: old.value, area: place.area, ...base }]
  }
  const whole = WHOLE_SLOT.exec(bound === -1 ? region : region.slice(0, bound))?.[1]
  const slot = whole === undefined ? undefined : slotOfWord(whole)
  if (slot === undefined || !/^(?:drop|ditch|scrap|get|forget|abandon|rip|no longer|stop|don't|we|i)/i.test(verb)) return []
  return SINGULAR.test(whole ?? '') ? [{ kind: 'end', slot, value: '', area: '', ...base }] : []
}

/** Slots that can be dropped as a whole; "drop the tests", "forget the docs" are something else. */
const SINGULAR = /^(?:(?:caching|cache|database|queue|message queue|job queue|search|linter|orm|cdn|feature flags|i18n|state management|framework|bundler|realtime|pagination|auth|monitoring|analytics|git hooks|pre-commit hooks|load balancer|reverse proxy|payments|monorepo|session store|formatter|type checker|sms|maps))(?: layer)?$/i

/** What follows the name of what is dropped: "remove the React import" removes an import. */
function isEndOf(noun: string, verb: string): boolean {
  if (noun === '') return true
  if (/^(?:support|completely|entirely|altogether|and|from|for|in|then|please|now|again|as|to|too|everywhere|here|entirely|because|since|btw|idea|cache|database|queue|cluster|cookies|tokens|dependency|integration|stack|any|anymore|instead|at|on|after|before|with|until|but)$/i.test(noun))
    return true
  return /^(?:stop|no longer|don't|not)/i.test(verb) && /^(?:the|our)$/i.test(noun)
}
