import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords, slotOfWord } from '../slots/slot-lookup.ts'
import { areaOf } from './area.ts'
import { asFinding } from './as-finding.ts'
import { type Cue, cuesIn, type Voice } from './choice-cues.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { type Chosen, objectsAt } from './objects.ts'
import { placeOf } from './place.ts'
import { ended, leaving, sharedSlot } from './read-ends.ts'
import { isName, NAME_PATTERN } from './unknown-value.ts'

/** What the verbs of a clause choose, change, replace and drop. */
export function readChoices(clause: Clause, voice: Voice): Finding[] {
  const { shape } = clause
  const left = voice === 'user' ? leaving(clause) : []
  if (left.some(({ kind }) => kind === 'choice')) return left
  const cues = cuesIn(shape, voice)
  const found: Finding[] = [...left]
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
  if (
    found.length === 2 &&
    first?.kind === 'end' &&
    second?.kind === 'choice' &&
    first.value !== '' &&
    !/^(?:rule|setting|name):/.test(second.slot)
  )
    return [
      {
        ...second,
        replaces: second.replaces ?? first.value,
        isChange: true,
        slot: sharedSlot(first, second),
      },
    ]
  return found.map((finding) =>
    isChange && finding.kind === 'choice' && /\b(?:no longer|now|instead)\b/i.test(shape)
      ? { ...finding, isChange: true }
      : finding,
  )
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
  // What is at hand is converted once.
  if (
    /^convert/i.test(clause.shape.slice(cue.start, cue.end)) &&
    /^\s*(?:this|that|these|those|it|the following|my)\b/i.test(region)
  )
    return []
  const target = [...region.matchAll(/(?:^|\s)(?:over to|back to|to|onto|into|for)\s+(?=\S)/gi)].find(
    ({ index = 0, 0: word }) => {
      const behind = cue.end + index + word.length
      return objectsAt(clause.shape, behind, to).length > 0
    },
  )
  if (target === undefined) return /^\s*(?:to|over to)?\s*$/.test(region) ? [] : changedName(clause, region)
  const between = region.slice(0, target.index)
  const chosen = objectsAt(clause.shape, cue.end + target.index + target[0].length, to)
  const old = findTechnologies(between).at(-1)
  const fromBehind = /\bfrom\s+(?:the\s+|our\s+)?/i.exec(region.slice(target.index))
  const older =
    old ?? (fromBehind ? findTechnologies(region.slice(target.index + fromBehind.index))[0] : undefined)
  const word = findSlotWords(between).find(
    ({ slot }) => old === undefined || slot !== old.technology.slots[0],
  )
  return chosen.slice(0, old ? 1 : undefined).map((choice) => {
    const slot = slotFrom(choice, word?.slot, old?.technology.slots)
    const area = choice.area || areaOf(`for ${between.replace(/\bfrom\b.*$/i, '')}`, slot)
    const same = older?.value === choice.value
    return asFinding(
      clause,
      {
        ...choice,
        slot,
        area: word || /\bfrom\b/i.test(between) ? area : choice.area,
        ...(older && !same && { replaces: older.value }),
      },
      true,
    )
  })
}

/** "switch the datastore to Foobar". */
function changedName(clause: Clause, region: string): Finding[] {
  const match = new RegExp(
    String.raw`^\s*(?:(?:the|our|my)\s+)?([\w -]{2,40}?)\s+(?:over )?to\s+(${NAME_PATTERN})\s*[.!]?\s*$`,
  ).exec(region)
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
  const choice = {
    value: next.value,
    area: place?.area ?? '',
    start: 0,
    end: 0,
    isChange: true,
    replaces: old.value,
  }
  const slot = slotFrom(
    { ...choice, slot: place?.slot ?? next.technology.slots[0] ?? '' },
    word?.slot,
    old.technology.slots,
  )
  return [asFinding(clause, { ...choice, slot }, true)]
}

/** The slot of the new value: by the word that was said, else where the old one was. */
function slotFrom(choice: Chosen, word: string | undefined, oldSlots: readonly string[] = []): string {
  const slots = findTechnologies(choice.value)[0]?.technology.slots ?? []
  if (word !== undefined && slots.includes(word)) return word
  const shared = oldSlots.find((slot) => slots.includes(slot))
  return shared ?? choice.slot
}
