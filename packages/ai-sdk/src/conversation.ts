/** For packages that adapt engines to other frameworks with the AI SDK's messages. */
export type { ContextEngineOptions, HostTools } from './engine/context-engine-types.ts'
export {
  createModelConversation,
  type ModelConversation,
  type ModelRequest,
  type ModelRequestOptions,
  toolSchemasOf,
} from './engine/model-conversation.ts'
