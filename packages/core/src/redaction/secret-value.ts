/** Shorter values are left: they are rarely secret, and often a word. */
export const SHORTEST_SECRET_CHARACTERS = 6

/** A pointer to a secret instead of the secret, as code, templates and configuration write it. */
const REFERENCE =
  /^(?:process\.env|import\.meta|os\.environ|env\.|secrets?\.|\$[({]|\$\w+-?$|%\w+%|\{\{|<[^<>]*>$|!(?:Ref|Sub|GetAtt|env|vault)\b|(?:arn|urn|workspace):|op:\/\/|[a-z][\w+.-]*:\/\/)|\$\{/i

/** Placeholders in the place of a secret. */
const PLACEHOLDER =
  /^(?:[*x.•-]{3,}|\[[a-z]{3,12}\]|.{0,16}(?:\.{3}|…)|(?:true|false|null|undefined|none|nil|required|optional|string|number|boolean|str|int|any|unknown|object|redacted|masked|hidden|change-?me)|(?:your|example|dummy|fake|sample|placeholder|replace[-_ ](?:with|me)|insert)(?:[-_ .].*|$))$/i

const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/][\w.@-]{1,40})+[\\/]?$/
/** A part of a path that is no name: long, with digits and capitals mixed in. */
const RANDOM = /(?<![^\\/])(?=[^\\/]*\d)(?=[^\\/]*[A-Z])[^\\/]{20,}/

const MARK = /\[REDACTED:[a-z-]+\]/g

/** A version or a range of them, and a number. */
const VERSION =
  /^(?:[\^~>=<v ]{0,3}\d{1,6}(?:\.\d{1,6}){1,3}(?:[ <>=.+-][\w<>=. +-]{0,30})?|\d{1,9}(?:_\d{3}){1,5})$/
/** The middle of texts that code puts together. */
const JOINED = /^ ?\+ |["'`] ?\+ /

/** True for what cannot be a secret itself: hidden already, a reference, a placeholder, a path, a version. */
export function isHarmless(value: string): boolean {
  if (value.includes('[REDACTED:') && value.replace(MARK, '').length < SHORTEST_SECRET_CHARACTERS) return true
  if (VERSION.test(value) || JOINED.test(value)) return true
  return REFERENCE.test(value) || PLACEHOLDER.test(value) || (PATH.test(value) && !RANDOM.test(value))
}

/** A name or a member access as source text has it, or one word of prose. */
const CODE =
  /^!{0,2}[A-Za-z_$](?:[A-Za-z_$]*(?:\??\.#?[A-Za-z_$][\w$]*)*|\w*(?:\??\.[A-Za-z_$]{3,})+)[?!.:]?$/

/** True for an unquoted value that is code or prose and not a secret: it has no digit and no sign in it. */
export function isCode(value: string): boolean {
  return CODE.test(value)
}

/** Names of what is secret, where the value is none: `token: "refresh-token"`, `ENV_SECRET = "AWS_SECRET_ACCESS_KEY"`. */
const NAME = /(?:token|secret|credential|(?:api|access|private|secret)[-_]?key)s?(?![a-z])/i

/** True for a value that names a secret instead of being one. */
export function isName(value: string): boolean {
  return NAME.test(value) && /^[\w.-]+$/.test(value) && !isRandom(value)
}

/** True for what no one would write as a word: letters and digits in one piece, or changing often between them. */
export function isRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  if (!/[^A-Za-z\d][A-Za-z\d]/.test(value)) return true
  const changes = value.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0
  return changes >= value.length / 6
}

/** A sentence, such as the text of an error. */
const SENTENCE = /^\p{L}[\p{L}'’]*,?(?: [\p{L}'’(),/-]+){1,}[.:!?…]*$/u
/** Words as a passphrase has them: all small, or all with a capital. */
const PASSPHRASE = /^(?:[a-z]{3,}(?: [a-z]{3,}){2,}|[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,}){3,})$/
/** Words of sentences and labels, which passphrases do without. */
const GRAMMAR =
  /\b(?:the|your|this|that|must|should|can|cannot|not|and|for|with|from|are|was|has|have|will|please|enter|invalid|wrong|incorrect|missing|required|forgot|reset|change|confirm|repeat|new|old|current|password|token|secret|key|access|credentials?|field|value)\b/i

/** True for a quoted sentence or label, such as the text of an error, and false for the words of a passphrase. */
export function isProse(value: string): boolean {
  return SENTENCE.test(value) && !(PASSPHRASE.test(value) && !GRAMMAR.test(value))
}
