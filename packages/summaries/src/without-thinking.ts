/** Thinking before a model's answer. Elsewhere the tag is part of the answer's topic. */
const LEADING_THOUGHT = /^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>\s*/i

/** Removes the thinking that a model wrote before its text. */
export function withoutThinking(text: string): string {
  return text.replace(LEADING_THOUGHT, '')
}
