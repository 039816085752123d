export {
  AI_SDK_DEFAULTS,
  type AiSdkCompletionOptions,
  createAiSdkCompletion,
} from './create-ai-sdk-completion.ts'
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
export { fromModelMessages, toModelMessages } from './messages/model-messages.ts'
