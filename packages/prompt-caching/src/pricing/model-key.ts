const MAX_NAME = 200

/** `anthropic/`, `models/`, `gemini:`: the server of the model. */
const SERVED_BY = /^(?:.*\/|[a-z][a-z-]*:)/
/** `us.anthropic.`: region and maker, in Amazon Bedrock's style. */
const REGION_AND_MAKER = /^(?:[a-z]+(?:-[a-z]+)?\.){1,2}(?=[a-z])/

/** Suffixes that do not change the model: a date, a version, a mode. */
const VARIANT =
  /^(?:[-@](?:\d{8}|\d{4}-\d\d-\d\d|\d\d-\d{2,4}|\d{3,4}|latest|preview|exp|thinking|customtools)|-v\d(?:[:]\d)?|:(?:thinking|beta|extended)|\[1m\]){1,4}$/

/** The form for comparing names: `5-6` and `5.6` are the same. */
export function modelKey(id: string): string {
  return id.replaceAll('.', '-')
}

export function readModelName(model: string): readonly string[] {
  if (model.length > MAX_NAME) return []
  const whole = model.trim().toLowerCase()
  const bare = whole.replace(SERVED_BY, '')
  return [...new Set([whole, bare, bare.replace(REGION_AND_MAKER, '')])].map(modelKey)
}

export function isModel(name: string, key: string): boolean {
  return name === key || (name.startsWith(key) && VARIANT.test(name.slice(key.length)))
}
