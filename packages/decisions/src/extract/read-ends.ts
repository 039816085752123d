import { findTechnologies } from '../slots/find-technologies.ts'
import { slotOfWord } from '../slots/slot-lookup.ts'
import type { Cue } from './choice-cues.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { placeOf } from './place.ts'
import { slug } from './slug.ts'

/** "Redis is out", "we can do without Redis", "Webpack → Vite". */
const OUT =
  /^\s*(?:(?:fliegt(?: raus)?|entfällt|fällt weg|kommt weg|saute|dégage|disparaît|desaparece|se va|queda fuera|sai|cai fora|уходит|отпадает|goes|is leaving|has to go)(?=[\s.,!]|$)|(?:is|are|ist|est|está)\s+(?:out|raus|weg|fora|fuera|gone|dead|history|no longer (?:needed|used|required|necessary|in use)|not (?:needed|used|required|necessary)(?: any ?more)?|off the table|cancell?ed|dropped|deprecated|removed)(?=[\s.,!]|$))/i
const WITHOUT =
  /\b(?:do|live|go|get by|manage) without\s+(?:the\s+|a\s+|an\s+)?$|^\W*(?:(?:ok|okay|so|then|no)[,\s]+)*not\s+$/i
/** "we won't be using Sentry after all", "no multiplayer any more". */
const OVER =
  /^\W*(?:(?:ok|okay|so|then|and|but|actually|oh)[,\s]+)*(?:(?:we|i|there|you|the \w+)\s+(?:\w+\s+){0,2}?(?:won't|will not|don't|do not|doesn't|aren't|are not|is not|isn't|not|no longer)|no|not)\b.*\b(?:after all|any ?more|any longer)\b/i
const GIVEN_UP =
  /(?:won't (?:be|have|need|do|use|get|support|offer|build|ship)|will not (?:be|have|need|do|use|support|offer|build|ship)|will be no|(?:don't|do not|doesn't) (?:need|want|have|do|use|support|offer)|^\W*(?:(?:ok|okay|so|then|and|but|actually)[,\s]+)*no)\s+(?:(?:any|the|an?|using|doing|building)\s+)*(?<what>[\p{L}\d][\p{L}\d-]*(?:\s[\p{L}\d-]+){0,2}?)\s+(?:after all|any ?more|any longer)\b/iu
const ARROW = /^\s*(?:→|->|=>)\s*$/

/** What a clause says that it is over, without a verb of ending. */
export function leaving(clause: Clause): Finding[] {
  const { shape, start, end, reason } = clause
  const [mention, next] = findTechnologies(shape)
  if (mention === undefined) return givenUp(clause)
  const slot = mention.technology.slots[0] ?? ''
  const base = { start, end, area: '', isChange: true, ...(reason !== undefined && { reason }) }
  if (
    next !== undefined &&
    ARROW.test(shape.slice(mention.end, next.start)) &&
    /^\W*(?:\w+ ){0,2}$/.test(shape.slice(0, mention.start))
  )
    return [
      {
        kind: 'choice',
        slot: sharedSlot({ slot }, next),
        value: next.value,
        replaces: mention.value,
        ...base,
      },
    ]
  const lead = shape.slice(0, mention.start)
  const isOut =
    OUT.test(shape.slice(mention.end)) && /^\s*(?:(?:so|and|ok|okay|then|the|oh)[\s,]+)*$/i.test(lead)
  const isOver = OVER.test(shape) && mention.sure && next === undefined
  const isNot = /not\s+$/i.test(lead) && !/^\s*after all\b/i.test(shape.slice(mention.end))
  return isOut || isOver || (WITHOUT.test(lead) && !isNot)
    ? [{ kind: 'end', slot, value: mention.value, ...base }]
    : []
}

/** "there won't be any multiplayer after all": of things that no dictionary has. */
function givenUp({ shape, start, end, reason }: Clause): Finding[] {
  const what = GIVEN_UP.exec(shape)?.groups?.what
  if (what === undefined || /^(?:it|this|that|them|these|those|one|more|time|idea)\b/i.test(what)) return []
  const slot = slotOfWord(what) ?? `choice:${slug(what)}`
  const why = reason === undefined ? {} : { reason }
  return [{ kind: 'end', slot, value: what, area: '', isChange: true, start, end, ...why }]
}

/** The slot of what is replaced, if what replaces it can fill that; else its own. */
export function sharedSlot(
  old: Pick<Finding, 'slot'>,
  chosen: { readonly value: string; readonly slot?: string },
): string {
  const slots = findTechnologies(chosen.value)[0]?.technology.slots ?? []
  return slots.includes(old.slot) ? old.slot : (chosen.slot ?? slots[0] ?? old.slot)
}

const WHOLE_SLOT =
  /^\s*(?:(?:the|our|any|all|that|this|my)\s+)*([\w /-]{2,30}?)(?:\s+(?:entirely|completely|altogether|for now|layer|again|thing|idea|requirement|support|please|too|as well|decision|choice|rule))*\s*[.!]?\s*$/i

/** What no longer holds. */
export function ended(clause: Clause, cue: Cue, region: string): Finding[] {
  const verb = clause.shape.slice(cue.start, cue.end)
  const bound = region.search(
    /,|\band\b|\bin favou?r of\b|\bfor\s+(?=[A-Z])|\bfrom (?:the|our)\b|\s(?:to|into)\s/i,
  )
  const mentions = findTechnologies(region)
  const [old, next] = mentions
  const base = {
    start: clause.start,
    end: clause.end,
    isChange: true,
    ...(clause.reason !== undefined && { reason: clause.reason }),
  }
  if (old !== undefined && (bound === -1 || old.start < bound || old.end <= bound + 12)) {
    const lead = region.slice(0, old.start)
    if (
      !/^\s*(?:(?:the|our|all|from|of|using|on|about|any|that|old|support for|whole|entire|with|it|idea of|use of)\s+)*$/i.test(
        lead,
      )
    )
      return []
    const noun = /^\s+([\w-]+)/.exec(region.slice(old.end))?.[1] ?? ''
    if (!isEndOf(noun, verb)) return []
    const place = placeOf(old, region.slice(old.end, next?.start), '', '') ?? {
      slot: old.technology.slots[0] ?? '',
      area: '',
    }
    const link = next === undefined ? '' : region.slice(old.end, next.start)
    if (
      next !== undefined &&
      /\b(?:in favou?r of|for|(?:and )?(?:on)?to|and (?:use|go with|switch to|move to))\s*$/i.test(link)
    ) {
      const slots = next.technology.slots
      const slot = slots.includes(place.slot) ? place.slot : (slots[0] ?? '')
      return [{ kind: 'choice', slot, value: next.value, area: '', replaces: old.value, ...base }]
    }
    return [{ kind: 'end', slot: place.slot, value: old.value, area: place.area, ...base }]
  }
  const whole = WHOLE_SLOT.exec(bound === -1 ? region : region.slice(0, bound))?.[1]
  const slot = whole === undefined ? undefined : slotOfWord(whole)
  if (
    slot === undefined ||
    !/^(?:drop|ditch|scrap|get|forget|abandon|rip|no longer|stop|don't|we|i)/i.test(verb)
  )
    return []
  return SINGULAR.test(whole ?? '') ? [{ kind: 'end', slot, value: '', area: '', ...base }] : []
}

/** Slots that can be dropped as a whole; "drop the tests", "forget the docs" are something else. */
const SINGULAR =
  /^(?:(?:caching|cache|database|queue|message queue|job queue|search|linter|orm|cdn|feature flags|i18n|state management|framework|bundler|realtime|pagination|auth|monitoring|analytics|git hooks|pre-commit hooks|load balancer|reverse proxy|payments|monorepo|session store|formatter|type checker|sms|maps))(?: layer)?$/i

/** What follows the name of what is dropped: "remove the React import" removes an import. */
function isEndOf(noun: string, verb: string): boolean {
  if (noun === '') return true
  if (
    /^(?:support|completely|entirely|altogether|and|from|for|in|then|please|now|again|as|to|too|everywhere|here|entirely|because|since|btw|idea|cache|database|queue|cluster|cookies|tokens|layer|setup|stuff|experiment|approach|requirement|dependency|integration|stack|plan|thing|switch|any|anymore|instead|at|on|after|before|with|until|but)$/i.test(
      noun,
    )
  )
    return true
  return /^(?:stop|no longer|don't|not)/i.test(verb) && /^(?:the|our)$/i.test(noun)
}
