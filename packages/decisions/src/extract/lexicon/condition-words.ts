const WHEN = '(?:when(?:ever)?|if|in case|as soon as|unless|on|for|upon)'
/** A special case in which nobody acts: "when I click" tells of something that happened. */
const CASE = String.raw`(?<special>(?!(?:i|we|you|he|she|they|it)\b)[^,.;]{4,80}?)`
const WHO = String.raw`(?<who>(?:(?:the|our|an?|every|each|all)\s+)?(?!(?:i|we|you|he|she|they|that|this|there|let|please)\b)[\p{L}\p{N}_.()'-]+(?:\s[\p{L}\p{N}_.'-]+){0,3}?)`
const MUST = String.raw`(?:(?<must>must(?: not| never| always)?|should(?: not| never| always)?|shall(?: not)?|has to|have to|needs to|always|never)\s+)?`
const DOES =
  '(?:returns?|answers?|responds?|replies|reply|raises?|throws?|rejects?|retries|retry|emits?|yields?|gives?|sends?|falls? back|exits?|logs?|writes?|shows?|displays?|skips?|stops?|aborts?|redirects?)'

/** "When the barcode is missing, the import returns `E_417`." */
export const CASE_FIRST = new RegExp(
  String.raw`^\W*(?:(?:and|also|so|but)\s+)?${WHEN}\s+${CASE},?\s+(?:then\s+)?${WHO}\s+${MUST}${DOES}\s+(?<result>\S.*)$`,
  'iu',
)
/** "The import returns `E_417` when the barcode is missing." */
export const CASE_LAST = new RegExp(
  String.raw`^\W*(?:(?:and|also|so|but)\s+)?${WHO}\s+${MUST}${DOES}\s+(?<result>[^,;]{2,80}?),?\s+${WHEN.replace('|on|for|upon', '')}\s+${CASE}[.!\s]*$`,
  'iu',
)
/** "A missing barcode makes the import answer `E_417`." */
export const CASE_MAKES = new RegExp(
  String.raw`^\W*(?:(?:and|also|so|but)\s+)?(?<special>(?:an?|any|every|each)\s+(?:\p{L}[\p{L}-]*\s){1,4}?)(?:makes?|lets?|causes?|forces?)\s+${WHO}\s+(?:to\s+)?${MUST}${DOES.replaceAll('s?', '')}\s+(?<result>\S.*)$`,
  'iu',
)
/** A name as code has them, or the status of a refusal. */
export const IS_CODED = /[\p{L}\p{N}]_[\p{L}\p{N}]|(?<!\d)(?:2|3|4)\d\d(?!\d)/u
/** What is told because it should not be so. */
export const COMPLAINT =
  /\?|\b(?:why|wrong|weird|strange|odd|instead of|expected|unexpected(?:ly)?|currently|right now|at the moment|sometimes|suddenly|again|still|bug|crash\w*|broken|apparently|seems?|every time i|somehow|but it|no idea|yesterday|today|last (?:night|week))\b/i
