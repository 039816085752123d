export type { ContextEngineOptions, HostTools } from './engine/context-engine-types.ts'
export {
  createModelConversation,
  type ModelConversation,
  type ModelRequest,
  type ModelRequestOptions,
  toolSchemasOf,
} from './engine/model-conversation.ts'
