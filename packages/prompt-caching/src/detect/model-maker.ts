import { readModelName } from '../pricing/model-key.ts'

/** The endpoint of a model's maker, or `bedrock` for a name in the style of Amazon Bedrock. */
export function makerOf(model: string): string | undefined {
  if (/(?:^|[/.])anthropic\./i.test(model)) return 'bedrock'
  return MAKERS.find(({ names }) => matches(model, names))?.endpoint
}

/** Whether a model is one of a family, whoever serves it. `names` matches the beginning of the bare name. */
export function matches(model: string, names: RegExp): boolean {
  return readModelName(model).some((name) => names.test(name))
}

/** Beginnings of the names of models. Open models such as gpt-oss are served by others and do not count. */
export const CLAUDE = /^claude-/
export const GPT = /^(?:gpt-\d|o[134](?:-|$)|chatgpt-)/
export const GEMINI = /^gemini-/
export const DEEPSEEK = /^deepseek-/
export const QWEN = /^(?:qwen|qwq)/
export const KIMI = /^kimi-/
export const MINIMAX = /^minimax-/
export const MINIMAX_M3 = /^minimax-m3/

const MAKERS: readonly { readonly names: RegExp; readonly endpoint: string }[] = [
  { names: CLAUDE, endpoint: 'anthropic' },
  { names: GPT, endpoint: 'openai' },
  { names: GEMINI, endpoint: 'gemini' },
  { names: DEEPSEEK, endpoint: 'deepseek' },
  { names: QWEN, endpoint: 'alibaba' },
  { names: MINIMAX, endpoint: 'minimax' },
]
