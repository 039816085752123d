import { findSlotWords } from '../slots/slot-lookup.ts'
import { slotOfValue } from '../slots/slots.ts'

const MAX_AREA_CHARS = 40

const LEAD =
  /^\s*(?:(?:for|as|in|on|at|to|across|inside|within|throughout|behind|only|just|für|als|pour|para|для|в|on|with|use)\s+)+(?:(?:the|our|all|any|an?|its|my|your|this|every|each|new|all of the|all of our|die|der|das|den|unsere?n?|le|la|les|nos|notre|el|los|las|nuestr\w+|o|os|as|nosso|nossa)\s+)*/i
/** What is no part of a project: the whole of it, a reason, a time, a person. */
const NO_AREA =
  /^(?:now|good|ever|sure|it|this|that|these|those|them|us|me|you|everything|everyone|anything|all|both|project|app|application|repo|repository|codebase|code|code base|system|product|company|team|company|main|default|primary|place|favou?r|short|long|general|particular|first|real|certain|start|beginning|mvp|v1|launch|speed|performance|simplicity|consistency|readability|safety|reasons?|example|instance|free|future|time being|moment|same|new|part|job|purpose|way|case|work|stack|our \w+|what|most|many|some|today|tomorrow|back|happen\w*|belong\w*|come|comes|whole \w+|entire \w+|new (?:project|app|service)|production-ready|use|top|start|hand|choice|standard|here|there|go|default choice|ones?|things?|stuff|max|min|we|i|they|he|she|sure that|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|mornings?|evenings?|nights?|(?:every|each) (?:day|week|month)|months?|weeks?|days?|years?|q[1-4])\b/i
/** "for its public endpoints": what is said is a part of what it is said of. */
const OF_SUBJECT = /^\s*(?:for|in|on|as|to|with)\s+(?:all (?:of )?)?(?:its|their)\s/i

/** The part of the project that a phrase such as "for the analytics database" names, lower case; empty for all of it. */
export function areaOf(phrase: string, slot: string, others: readonly string[] = []): string {
  const lead = LEAD.exec(phrase)
  if (lead === null || OF_SUBJECT.test(phrase)) return ''
  let rest = phrase
    .slice(lead[0].length)
    .replace(
      /\s+(?:for|as|because|since|so|instead|rather|when|where|which|that|who|with|using|from now on|going forward|only|please|too|then|now|by|is|are|and then|until|if|to|of course|at all|after|before|via|through|always|first)\b.*$/i,
      '',
    )
  for (const word of findSlotWords(rest).reverse())
    if (word.slot === slot || others.includes(word.slot))
      rest = `${rest.slice(0, word.start)} ${rest.slice(word.end)}`
  rest = rest
    .replace(/[`"'“”()[\]{}.,;:!?]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^\s*(?:the|our|a|an|and|in|for|on|of|as)\s+(?:the |our )?/i, '')
    .replace(/\s+(?:and|in|for|on|of|the)\s*$/i, '')
    .trim()
    .toLowerCase()
  if (rest.length < 2 || rest.length > MAX_AREA_CHARS || NO_AREA.test(rest)) return ''
  return rest.split(' ').length > 5 || slotOfValue(rest) !== undefined ? '' : rest
}
