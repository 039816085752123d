export { createOpenAiChat } from './create-openai-chat.ts'
export { createOpenAiCompletion } from './create-openai-completion.ts'
export { OPENAI_DEFAULTS, type OpenAiOptions } from './options.ts'
