/**
 * A value that no dictionary knows, such as `Foobar`, `sessions.db` or `my-cache`: up to three words that look like a name.
 * In quotes or code marks, or behind "use … as", one plain word is a name too.
 */
const NAME = String.raw`[A-Za-z\u00c0-\u024f][\w.+#@/-]{1,40}(?: [A-Z][\w.+-]{1,30}){0,2}`
export const NAME_PATTERN = NAME

const PLAIN_WORDS =
  /^(?:it|this|that|them|these|those|one|some|something|someone|which|what|everything|anything|nothing|the|an?|our|your|my|same|new|old|other|another|first|second|third|last|next|both|all|more|less|yes|no|not|ok|okay|here|there|now|then|only|just|you|we|they|i|he|she|is|are|be|good|bad|slow|fast|down|up|broken|empty|full|ready|wrong|right|done|fine|default|custom|also|and|or|for|with|ids?|data|code|file|files|strings?|numbers?|tests?|whatever|either|separate|plain|simple|single|global|local|proper|real|small|big|long|short|TODO|FIXME|The|This|That|It|I|We|You|If|And|But|So|Please|Use|Let|Make|Set|Add|Wait|Look|Check|Ask|Go|Run|Try|See|Search|Prepare|Test|Build|Create|Write|Read|Fix|Find|Show|Start|Stop|Thanks|Sorry|Time|Watch|Plan|Pay|Vote|Apply|Aim|Account|Yes|No|Ok)$/

/** `editor.fontSize`, `a.b.c`: the key of a setting, which fills no slot. */
const KEY = /^[a-z][\w-]*(?:\.[\w-]+){2,}$|^[a-z][\w-]*\.[a-z]+[A-Z]\w*$/

/** Whether a word or a few look like the name of something, and not like language. */
export function isName(words: string, anyWord = false): boolean {
  const value = words.trim()
  if (value.length < 2 || value.length > 80 || PLAIN_WORDS.test(value) || KEY.test(value)) return false
  if (PLAIN_WORDS.test(value.split(' ')[0] ?? '')) return false
  if (anyWord && /^[\w.+#@/-]+$/.test(value)) return true
  return /^[A-Z][A-Za-z]*[A-Z0-9]|[\d_./@#]|^[A-Z][a-z]{2,}|[a-z][A-Z]|-/.test(value) && !/[.!?]$/.test(value)
}
