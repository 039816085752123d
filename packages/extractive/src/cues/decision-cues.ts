/** Words with which a choice is made, by whoever speaks. */
const CHOICE = new RegExp(
  [
    String.raw`\b(?:let'?s|we'?ll|i'?ll|we will|i will|we should|please) (?:use|go with|stick (?:with|to)|keep using|switch to|adopt|drop)\b`,
    String.raw`\b(?:go(?:ing)?|went|gone) with\b|\b(?:choose|chose|chosen|decide|decided|settled on|opt(?:ed|ing)? for|stick(?:ing)? (?:with|to))\b`,
    String.raw`\b(?:switch(?:ed|ing)?|migrat(?:e|ed|ing)|mov(?:e|ed|ing)) (?:over )?(?:to|from)\b|\bno longer\b|\b(?:instead of|rather than|in favou?r of) (?!\w+ing\b)`,
    String.raw`\brenam(?:e|ed|ing)\b.{1,80}\b(?:to|as|into)\b|\breplac(?:e|ed|ing)\b.{1,80}\b(?:with|by)\b|\b(?:deprecat(?:e|ed)|superseded|drop support)\b`,
    String.raw`\b(?:the )?(?:decision|approach|plan) is\b|^(?:the |my |our )?decision\s?[:：]|\bagreed\b`,
    String.raw`\b(?:wir nehmen|entschieden|nehmen wir|statt|on utilise|on choisit|décidé|usaremos|vamos a usar|decidimos|elegimos|usaremos|vamos usar)\b`,
    'решили|выбрали|перейд[её]м на|вместо|决定|決定|选择|選択|改用|采用|改为|ではなく|にしましょう|결정|대신|으로 하자|قررنا|سنستخدم',
  ].join('|'),
  'i',
)

/** A user's order to use something is a choice; the same words of an assistant are often a narration. */
const USER_CHOICE =
  /(?:^|[,;:]\s?|\b(?:and|ok|okay|omfg|no|yes|please|then|so)[,\s]\s?)(?:use|make it|call it|name it|keep|pick|take)\b|^not (?:an? |the )?[\w-]+[:,;]/i

const QUESTION = /[?？؟]\s*$/
const NARRATION =
  /^(?:(?:ok|okay|now|next|first|great|good|perfect|alright)[,!.]?\s+)*(?:let me|i need to|i should|i'?ll (?:now|check|look|read|use (?:the )?(?:grep|read|bash|edit)))\b/i

/** Whether a sentence makes a choice. */
export function isDecision(sentence: string, role: 'user' | 'assistant'): boolean {
  if (QUESTION.test(sentence) || sentence.length < 12) return false
  if (role === 'user') return CHOICE.test(sentence) || USER_CHOICE.test(sentence)
  return CHOICE.test(sentence) && !NARRATION.test(sentence)
}
