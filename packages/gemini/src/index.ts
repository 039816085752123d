export { createGeminiChat } from './create-gemini-chat.ts'
export { createGeminiCompletion } from './create-gemini-completion.ts'
export { GEMINI_DEFAULTS, type GeminiClient, type GeminiOptions, type GeminiThinking } from './options.ts'
