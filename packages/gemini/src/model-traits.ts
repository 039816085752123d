/**
 * The generation in a model's name, such as 2.5. Infinity for a Gemini model without a number, because those names
 * (`gemini-flash-latest`) follow the newest; 0 for every other model, such as Gemma.
 */
function generation(model: string): number {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  if (!name.startsWith('gemini')) return 0
  const number = /^gemini(?:-live)?-(\d+(?:\.\d+)?)/.exec(name)?.[1]
  return number === undefined ? Infinity : Number(number)
}

/** True for models that think before they answer, and count it against the output limit: 2.5 and later. */
export function thinks(model: string): boolean {
  return generation(model) >= 2.5
}

/**
 * True for models that refuse a request when the first call of an answer comes back without its thought signature:
 * Gemini 3 and later (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
export function requiresCallSignature(model: string): boolean {
  return generation(model) >= 3
}
