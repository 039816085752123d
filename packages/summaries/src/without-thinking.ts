/** Thinking that a model wrote before its answer. Anywhere else the tag is something that is talked about. */
const LEADING_THOUGHT = /^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>\s*/i

/** The text without the thinking that a model wrote before it. */
export function withoutThinking(text: string): string {
  return text.replace(LEADING_THOUGHT, '')
}
