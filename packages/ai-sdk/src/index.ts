export {
  AI_SDK_DEFAULTS,
  type AiSdkCompletionOptions,
  createAiSdkCompletion,
} from './completion/create-ai-sdk-completion.ts'
export { contextEngine } from './engine/context-engine.ts'
export type {
  AiSdkContext,
  ContextEngineOptions,
  EngineTool,
  FinishedStep,
  PrepareStepOptions,
  StepInput,
  StepOverride,
} from './engine/context-engine-types.ts'
export { fromModelMessages } from './messages/from-model-messages.ts'
export { toModelMessages } from './messages/to-model-messages.ts'
