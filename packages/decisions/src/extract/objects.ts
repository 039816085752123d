import { findTechnologies, type TechnologyMention } from '../slots/find-technologies.ts'
import { placeOf } from './place.ts'

/** What a verb of choosing is about. */
export interface Chosen {
  readonly slot: string
  readonly value: string
  readonly area: string
  readonly start: number
  readonly end: number
  /** The technology that it is chosen over, as the words around name it. */
  readonly replaces?: string
  /** "instead of", "from … to": it was something else before. */
  readonly isChange: boolean
}

const DETERMINERS =
  /^\s*(?:(?:for|with|on|in|to|as|at|of|the|an?|our|your|my|this|that|it|plain|pure|just|only|good old|managed|hosted|latest|new|old|simple|standard|local|single|native|official|proper|both|exclusively|strictly|mostly|always|regular|vanilla|boring|embedded|modern|classic|short-lived|signed|stateless|stateful|strict|dedicated|separate|self-hosted|serverless|something like|version|primarily|mainly|either|now|again|be|them|back|over|instead|using|real|httponly|http-only|secure|all|everything|everywhere|existing|current|server-side|same|own|default|le|la|les|el|los|las|o|os|der|die|das|den|dem|ein|eine|einen|un|une|una|um|uma|em|en|free|open-source|open source|small|full|custom|lightweight|raw|proven|basic|:|,)\s+)*$/i
/** What may follow a name without making it a part of something else. */
const FOLLOWS =
  /^(?:\s*$|\s*[.,;:!?)(…]|\s+(?:for|as|in|on|to|with|via|at|across|over|behind|everywhere|throughout|only|exclusively|instead|rather|not|then|now|please|pls|plz|and|or|from|by|going|here|there|yesterday|tonight|tomorrow|finally|anyway|every|each|again|too|also|because|since|so|but|plus|under|inside|within|until|unless|when|where|through|without|while|vs|than|it|this|per|both|today|thanks|ok|yes|directly|internally|always|after|before|like|if|straight|alone|all|right|except|though|anyway|tho|we|i|you|btw|that|which|is|are|will|should|would|be|between|ge[a-z]+(?:t|en)|werden|sein|laufen|fits?|suits?|works?|helps|has|can|could|might|wins|does|goes|für|als|mit|im|in|para|como|con|com|pour|comme|avec|dans|pro|для|как|с|в|на|und|y|e|et|и|oder|statt|later|first|exactly|\+|&|=|-|–|—|→|\/)(?=[\s,.;:!?)]|$)|-(?:based|backed|only|first|compatible|style|like|flavou?red)\b|[^\s\w-]|\s*[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])/i
const KIND_WORD =
  /^(?:[-\s]*(?:based|backed|only|first|style|compatible))?(?:\s+(?:community|enterprise|pro|cloud|lts|latest|stable|edition|locally|itself|clusters?|instances?|servers?|services?|clients?|frameworks?|librar(?:y|ies)|lib|apps?|applications?|projects?|tokens?|cookies?|keys?|files?|formats?|style|syntax|workspaces?|toolkit|stack|auth|authentication|authori[sz]ation|backend|back-end|frontend|front-end|drivers?|packages?|tools?|tooling|models?|engine|licen[cs]e|apis?|endpoints?|formatting|indentation|indents?|names?|naming|conventions?|messages?|commits?|storage|store|database|db|cache|caching|queues?|broker|streams?|router|manager|runner|linter|formatter|bundler|orm|ui|css|schemas?|validation|modules?|containers?|images?|pods?|pipelines?|workflows?|hosting|setup|deployment|deploys?|functions?|monitoring|logging|tracking|search|index|indexes|extension|plugin|provider|platform|architecture|approach|pattern|design|model|strategy|flow|branching|style|versioning|pagination|ids?|timestamps?|dates?|strings?|encoding|columns?|primary keys|hashes|hashing|mode|theme|sessions?|jobs?|workers?|code|codebase|monorepo|repos?|sdk|v\d+|version|rendering|site|generator|charts?|grid|layer|protocol|transport|connections?|services|configs?|configuration|variables|identifiers)){0,3}/i

const LINK =
  /^\s*(?:,|;|and|&|\+|plus|with|along with|together with|und|mit|y|con|et|avec|e|com|и|с|、|和|与|と|및|,\s*and|,\s*with)\s*(?:then\s+|also\s+|use\s+|using\s+|for [\w -]{2,30}?,?\s+)?(?:(?:the|an?|our|plain)\s+)?$/i
const OLDER =
  /(?:(?<!\p{L})(?:instead of|rather than|in place of|as opposed to|over|than|not|and not|never|no|replacing|from|versus|vs\.?|away from|in favou?r over|was|statt|anstatt|anstelle von|nicht|von|au lieu de|plutôt que|pas|et non|en lugar de|en vez de|no|em vez de|ao invés de|não|вместо|а не|не|с)|而不是|不用|不要|代替|取代)\s*(?:using\s+|the\s+|an?\s+|to\s+use\s+|use\s+|on\s+|with\s+|our\s+|old\s+|existing\s+|current\s+|plain\s+|for\s+)*$/iu
const ALTERNATIVE =
  /(?<!\p{L})(?:or|oder|ou|или)\s*(?:an?\s+|even\s+|the\s+)?$|^\s*o\s*$|还是|或者|または|か、|아니면/iu

/** A change away from something else, not only a refusal of it. */
const CHANGES =
  /(?<!\p{L})(?:instead of|in place of|replacing|from|away from|statt|anstatt|von|au lieu de|en lugar de|en vez de|em vez de|ao invés de|вместо|с)(?!\p{L})|而不是|代替|取代/iu

/**
 * What is chosen by a verb whose object begins at `from`: the technology that stands there, and those that are listed
 * behind it. Empty when something else stands there, or a choice between two is left open.
 */
export function objectsAt(shape: string, from: number, to: number): Chosen[] {
  const region = shape.slice(from, to)
  const mentions = findTechnologies(region)
  const chosen: Chosen[] = []
  let previous: TechnologyMention | undefined
  let replaced: string | undefined
  for (const [index, mention] of mentions.entries()) {
    const gap = region.slice(previous?.end ?? 0, mention.start)
    const tail = region.slice(mention.end, mentions[index + 1]?.start ?? region.length)
    if (previous === undefined) {
      if (OLDER.test(gap) && /\bfrom\s/i.test(gap)) {
        replaced = mention.value
        previous = mention
        continue
      }
      if (!DETERMINERS.test(gap) && !isSlotLead(gap)) return []
      if (!isWhole(mention, gap, tail, index === mentions.length - 1)) return []
    } else if (OLDER.test(gap)) {
      const last = chosen.at(-1)
      if (last !== undefined && last.replaces === undefined)
        chosen[chosen.length - 1] = {
          ...last,
          replaces: mention.value,
          isChange: last.isChange || CHANGES.test(gap),
        }
      previous = mention
      continue
    } else if (ALTERNATIVE.test(gap)) {
      chosen.pop()
      previous = mention
      continue
    } else if (!isLinked(gap)) break
    else if (!isWhole(mention, gap, tail, true)) break
    const place = placeOf(mention, tail, gap, shape)
    if (place === undefined) break
    chosen.push({
      slot: place.slot,
      value: mention.value,
      area: place.area,
      start: from + mention.start,
      end: from + mention.end,
      isChange: replaced !== undefined,
      ...(replaced !== undefined && { replaces: replaced }),
    })
    replaced = undefined
    previous = mention
  }
  return chosen
}

/** Whether the name is all that stands there, and not a part of the name of something else ("the React docs"). */
function isWhole(mention: TechnologyMention, gap: string, tail: string, last: boolean): boolean {
  const rest = tail.slice(KIND_WORD.exec(tail)?.[0].length ?? 0)
  const whole = FOLLOWS.test(rest) || (!last && rest.trim() === '')
  if (!whole) return false
  // "use less memory", "the rest": an everyday word counts when nothing is said around it.
  return (
    mention.sure ||
    (/\b(?:always|are|is|be|in|with|to|use|on)\s*$/i.test(gap) &&
      FOLLOWS.test(tail) &&
      !/\b(?:a|an|the|more|some)\s*$/i.test(gap)) ||
    (/^\s*$/.test(gap)
      ? FOLLOWS.test(tail)
      : /(?:,|and|with|&|\+)\s*$/i.test(gap) && !/^\s+(?:is|are|will|has|can|should|does)\b/i.test(tail))
  )
}

/** "as our database", "for the queue": the slot stands before the name. */
function isSlotLead(gap: string): boolean {
  return /^\s*(?:as|for)\s+[\w' -]{2,40}[:,]?\s*$/i.test(gap) || /^[\s:：,，、]*$/.test(gap)
}

/** Between two names of a list stands what the first one is for, and a link. */
function isLinked(gap: string): boolean {
  const link =
    /(?:,\s*(?:and|plus|with|then|und|y|et|e|и)?|;|\band|&|\+|\bplus|\bwith|\bund|\bmit|\by|\bet|\be|\bи|\bс|、|，|和|与|と)\s*(?:(?:use|using|the|an?|our|plain|with|then|also)\s+)*$/i.exec(
      gap,
    )
  if (link === null) return LINK.test(gap)
  const before = gap.slice(0, link.index).trim()
  return (
    before === '' ||
    /^[-]?(?:[\w'-]+\s*){0,3}$/.test(before) ||
    /^(?:[\w-]+\s+){0,2}(?:for|as|in|on|at|to|across|only|via|with)\b[^,;]{0,60}$/i.test(before)
  )
}
