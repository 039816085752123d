/** The answer of a tool as a model reads it: JSON hides quotes and line ends behind backslashes. */
export function readableText(json: string): string {
  return json.replace(/\\n/g, '\n').replace(/\\(["\\/])/g, '$1')
}
