/** Longest name of a model that is looked at, in characters. */
const MAX_NAME = 200

/** `anthropic/`, `models/`, `gemini:`: who serves it. */
const SERVED_BY = /^(?:.*\/|[a-z][a-z-]*:)/
/** `us.anthropic.`: region and maker, as Amazon Bedrock writes them. */
const REGION_AND_MAKER = /^(?:[a-z]+(?:-[a-z]+)?\.){1,2}(?=[a-z])/

/** Suffixes that do not make it another model: a date, a version, a mode. */
const VARIANT =
  /^(?:[-@](?:\d{8}|\d{4}-\d\d-\d\d|\d\d-\d{2,4}|\d{3,4}|latest|preview|exp|thinking|customtools)|-v\d(?:[:]\d)?|:(?:thinking|beta|extended)|\[1m\]){1,4}$/

/** The form in which names are compared: what writes `5.6` as `5-6` means the same model. */
export function modelKey(id: string): string {
  return id.replaceAll('.', '-')
}

/** Ways to read a name that a host gave, the likeliest first. None for a name that is too long to be one. */
export function readModelName(model: string): readonly string[] {
  if (model.length > MAX_NAME) return []
  const whole = model.trim().toLowerCase()
  const bare = whole.replace(SERVED_BY, '')
  return [...new Set([whole, bare, bare.replace(REGION_AND_MAKER, '')])].map(modelKey)
}

/** Whether a name is that of a known model, perhaps with a date or a version behind it. */
export function isModel(name: string, key: string): boolean {
  return name === key || (name.startsWith(key) && VARIANT.test(name.slice(key.length)))
}
