import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { areaOf } from './area.ts'
import { asFinding } from './as-finding.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { objectsAt } from './objects.ts'

/** What a note of choices has none of. */
const VERB =
  /\b(?:i|you|he|she|it|they|is|isn't|are|was|were|be|been|has|have|had|do|does|did|don't|doesn't|can|can't|could|would|should|may|might|get|gets|got|fails?|failed|works?|worked|throws?|crash\w*|seems?|looks?|says?|said|returns?|gives?|needs?|uses?|using|supports?|keeps?|makes?|errors?|issues?|bugs?|problems?|docs?|help|question|questions|about|fix|add|write|check|show|run|read|explain|find|why|how|what|when|where|which|who|see|try|tell|create|update|install|import|debug|compare|broken|version)\b/i
const LEAD =
  /^\s*(?:(?:ok|okay|so|and|then|yes|yeah|no(?=[,.!:])|lol|alright|all right|right|great|fine|good|well|now|actually|also|oh|hmm+|please|plus|instead|finally|understood|understood|deal|agreed|und|dann|also|ja|ok|oui|sí|sim|да|тогда)[\s,.:!–—-]+)*(?:(?:an?|the|just|only|plain|simply)\s+)?/i
/** "tests with pytest", "everything in TypeScript", "deploys to Fly.io". */
const THING_IN =
  /^\s*(?:and\s+|und\s+|also\s+)?(?<thing>(?:[\p{L}\d/-]+\s+){1,3})(?:with|in|on|via|using|by|through|to|über|mit|auf|als|in|avec|con|com|на|с|managed with|as|written in|built (?:with|on)|based on|machen wir (?:via|mit|über)|→|->|=)\s+(?:the\s+|a\s+)?$/iu
const THINGS =
  /^(?:everything|all|code|scripts?|services?|apps?|backend|firmware|library|tool|cli|game|platformer|prototype|server|clients?|frontend|model|logic|core|api|rest|it all|whole thing|new \w+|site|website|package|project|module|engine|dashboard|alles|tout|todo|tudo|всё)$/i
const END_OF_NOTE =
  /^\s*(?:$|[.,;:!)(–—]|\s+(?:for|as|in|on|with|via|only|please|pls|then|instead|rather|everywhere|not|from|to|over|until|if|and|at|behind|throughout|now|again|alors|donc|dann|entonces|então|тогда|all the way|between|across|among|exclusively|für|als|para|pour|como|для|it is)\b)/i

/** Notes without a verb: "Kubernetes, one namespace per team", "tests with pytest, lint with ruff", "Rust instead of C++". */
export function readFragments(clause: Clause, known: readonly Finding[]): Finding[] {
  const { shape } = clause
  const found: Finding[] = []
  let from = 0
  let broken = false
  for (const { end, next } of chunkEnds(shape)) {
    const chunk = shape.slice(from, end)
    const start = from
    const isLead = shape.charAt(end) === ':'
    from = next
    // What a colon leads to stands by itself; what it leads from names nothing.
    if (isLead) broken = false
    if (isLead || broken) continue
    const chosen = chunkChoices(clause, chunk, start)
    const fresh = chosen.filter(
      ({ value }) => ![...known, ...found].some((other) => other.value === value || other.replaces === value),
    )
    found.push(...fresh)
    const isKnown =
      chosen.length > 0 ||
      known.some(({ value }) => findTechnologies(chunk).some((mention) => mention.value === value))
    broken = !isKnown && VERB.test(chunk)
  }
  return found
}

/** Where the parts of an enumeration end: at commas, semicolons, dashes, a colon, or "und" before another part. */
function chunkEnds(shape: string): { end: number; next: number }[] {
  const ends = [
    ...shape.matchAll(
      /[,;，、](?=\s|[\u3000-\uffff])|\s[–—-]\s|:(?=\s)|\s(?:and|und|y|e|et|и)(?=\s+\S+\s+(?:with|in|on|via|using|für|for|mit|para)\s)/gu,
    ),
  ].map(({ index, 0: mark }) => ({ end: index, next: index + mark.length }))
  return [...ends, { end: shape.length, next: shape.length }]
}

function chunkChoices(clause: Clause, chunk: string, start: number): Finding[] {
  const [mention] = findTechnologies(chunk)
  if (mention === undefined) return []
  const alone = chunk.trim().replace(/[.!]$/, '').length === mention.end - mention.start
  const named =
    /^\p{Lu}/u.test(chunk.slice(mention.start)) &&
    /^\s+(?:for|as|instead of|over|not|all the way|everywhere|throughout|only|please|then|alors|donc|dann|entonces|então|тогда|für|pour|para|для)(?=[\s.,;!]|$)/i.test(
      chunk.slice(mention.end),
    )
  if (!mention.sure && !alone && !named) return []
  const before = chunk.slice(0, mention.start)
  const behind = chunk.slice(mention.end)
  const lead = LEAD.exec(before)?.[0].length ?? 0
  const rest = before.slice(lead)
  const thing = THING_IN.exec(rest)?.groups?.thing?.trim()
  const naming = mention.technology.slots[0] === 'naming' && /^(?:[\p{L}-]+\s+){1,3}$/u.test(rest)
  if (rest !== '' && !naming && (thing === undefined || !isThing(thing))) return []
  if (VERB.test(rest) || VERB.test(behind.replace(/\bit is\b/i, '')) || (rest === '' && !isEnd(behind)))
    return []
  const chosen = objectsAt(clause.shape, start + mention.start, start + chunk.length)
  return chosen.map((choice, index) => {
    const said = naming ? rest : (thing ?? '')
    const word = index === 0 && said !== '' ? findSlotWords(said)[0] : undefined
    const slot = word !== undefined && mention.technology.slots.includes(word.slot) ? word.slot : choice.slot
    const area =
      choice.area || (index === 0 && said !== '' && !THINGS.test(said) ? areaOf(`for ${said}`, slot) : '')
    return asFinding(clause, { ...choice, slot, area }, false)
  })
}

function isEnd(behind: string): boolean {
  const noun =
    /^\s+(?:database|db|cache|queue|auth|tokens?|only|framework|backend|frontend|cluster|cookies|files?|indentation|hosting|please)\b/i.exec(
      behind,
    )
  return END_OF_NOTE.test(noun === null ? behind : behind.slice(noun[0].length))
}

function isThing(thing: string): boolean {
  return THINGS.test(thing) || THINGS.test(thing.split(' ').at(-1) ?? '') || findSlotWords(thing).length > 0
}
