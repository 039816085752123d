export {
  createLangChainCompletion,
  type LangChainCompletionOptions,
} from './completion/create-langchain-completion.ts'
export { LANGCHAIN_DEFAULTS } from './langchain-defaults.ts'
export { fromLangChainMessages } from './messages/from-langchain.ts'
export { toLangChainMessages } from './messages/to-langchain.ts'
export { contextEngineMiddleware } from './middleware/context-engine-middleware.ts'
export type {
  ContextEngineMiddleware,
  ContextEngineMiddlewareOptions,
  ThreadListener,
} from './middleware/context-engine-types.ts'
