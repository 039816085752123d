// Scripts without word boundaries are matched by substring; Latin scripts at word boundaries.

/** A rule that is meant to last: always, never, must, from now on, prefer … */
const STANDING = new RegExp(
  [
    String.raw`\b(?:always|never|must(?:n'?t)?|from now on|in (?:the )?future|going forward|at all times|by default)\b`,
    String.raw`\b(?:i|we) (?:prefer|always|never|want you to|require|insist)\b|\bprefer\b|\bremember (?:to|that|not)\b|\bkeep in mind\b`,
    String.raw`\b(?:not allowed|forbidden|required|mandatory|off[- ]limits|no exceptions|rule)\b`,
    String.raw`\b(?:only|exclusively) (?:use|ever)\b|\buse only\b|\bunder no circumstances\b`,
    String.raw`\b(?:immer|niemals|nie|bevorzug\w*|verboten|ab jetzt|grundsätzlich|darf nicht|dürfen nicht)\b`,
    String.raw`\b(?:toujours|jamais|doit|doivent|interdit|préfère|dorénavant)(?!\w)`,
    String.raw`\b(?:siempre|nunca|debe|deben|prohibido|prefiero|sempre|deve|proibido|prefiro)\b`,
    'всегда|никогда|нельзя|обязательно|предпочита|запрещ|должен|должн[ыао]',
    '必须|必須|总是|總是|永远不|永遠|一律|禁止|务必|偏好|从现在|絶対|必ず|常に|항상|절대|반드시|금지',
    'دائما|دائمًا|أبدا|أبدًا|يجب|ممنوع|हमेशा|कभी नहीं',
  ].join('|'),
  'i',
)

/** An instruction about one thing: don't, avoid, make sure, no X … It may be meant for once only. */
const INSTRUCTION = new RegExp(
  [
    String.raw`(?:^|[,;:(]\s?|\b(?:please|and|but|also|just|so|then)\s)(?:don'?t|don’t|do not|avoid|ensure|make sure)\b|\bleave\b.{1,40}\b(?:alone|as (?:is|it)|untouched)\b`,
    String.raw`(?:^|[,;:(]\s?)no\s[\w-]+|\b(?:should(?:n'?t| not)|can(?:'?t|not) have|instead of|rather than|without (?:using|changing|touching))\b`,
    String.raw`\b(?:bitte nicht|bitte keine?|stattdessen|statt|au lieu de|n'utilise|en lugar de|en vez de|em vez de)\b`,
    'вместо|не надо|не использу|не трогай|不要|不能|别用|別|改用|而不是|优先|しないで|代わりに|하지 ?마|대신|بدلا|لا تستخدم',
  ].join('|'),
  'i',
)

/** Sentences that look like an instruction and are a question, a guess or a feeling. */
const NOT_A_RULE =
  /^(?:why|what|how|when|where|who|which|is|are|was|were|does|did|can you tell|i (?:don'?t|do not) (?:understand|think|know|see|get|care))\b|\b(?:i|we|it|they) (?:don'?t|do not|didn'?t) (?:understand|think|know|see|get|believe|care)\b|\b(?:i|it|they|he|she|that|has|have|had|was|were)(?:'ve)? never\b/i

/** How strong a rule a sentence of a user states: 2 a standing rule, 1 an instruction, 0 neither. */
export function constraintStrength(sentence: string): 0 | 1 | 2 {
  if (NOT_A_RULE.test(sentence)) return 0
  if (STANDING.test(sentence)) return 2
  return INSTRUCTION.test(sentence) ? 1 : 0
}
