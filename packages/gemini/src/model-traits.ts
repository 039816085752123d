/**
 * The generation in a model's name, such as 2.5. Infinity for a Gemini model without a number, such as
 * `gemini-flash-latest`, which is the newest; 0 for other models, such as Gemma.
 */
function generation(model: string): number {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  if (!name.startsWith('gemini')) return 0
  const number = /^gemini(?:-live)?-(\d+(?:\.\d+)?)/.exec(name)?.[1]
  return number === undefined ? Infinity : Number(number)
}

/** Models from 2.5 on think before they answer, and count it against the output limit. */
export function thinks(model: string): boolean {
  return generation(model) >= 2.5
}

/**
 * Gemini 3 and later refuse a request if the first call of an answer lacks its thought signature
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
export function requiresCallSignature(model: string): boolean {
  return generation(model) >= 3
}
