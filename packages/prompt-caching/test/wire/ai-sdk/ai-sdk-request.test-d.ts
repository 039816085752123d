import type { generateText, Instructions, ModelMessage, PrepareStepFunction, Prompt, ToolSet } from 'ai'
import type { RequestPlanner } from '../../../src/planner/create-request-planner.ts'
import type { AiSdkMessage, AiSdkRequest, AiSdkTool } from '../../../src/wire/ai-sdk/ai-sdk-request.ts'
import { aiSdkWire } from '../../../src/wire/ai-sdk/ai-sdk-wire.ts'

type IsAssignable<From, To> = [From] extends [To] ? true : false
type Options = Parameters<typeof generateText<ToolSet>>[0]
type WithMessages<Call> = Extract<Call, { messages: ModelMessage[] }>

/** Checked by `tsc`: a line below that is not `true` does not compile. */
export const assignable: {
  readonly message: IsAssignable<ModelMessage, AiSdkMessage>
  readonly tool: IsAssignable<ToolSet[string], AiSdkTool>
  readonly prompt: IsAssignable<WithMessages<Prompt>, AiSdkRequest>
  readonly call: IsAssignable<WithMessages<Options>, AiSdkRequest>
} = { message: true, tool: true, prompt: true, call: true }

interface Call {
  messages: ModelMessage[]
  instructions?: Instructions
  tools: ToolSet
}

/** The same as code: what a host passes to `generateText`. */
export function call(request: Call): WithMessages<Options> {
  return { model: 'some-model', ...aiSdkWire().apply(request, []) }
}

/** And what it returns from `prepareStep`: with instructions of its own, or with those of the step. */
export function prepareStep(
  planner: RequestPlanner<AiSdkRequest>,
  tools: ToolSet,
  own: string,
): PrepareStepFunction<ToolSet>[] {
  return [
    ({ messages }) => planner.mark({ messages, instructions: own, tools }).request,
    ({ messages, instructions }) =>
      planner.mark({ messages, tools, ...(instructions !== undefined && { instructions }) }).request,
    ({ messages, instructions = own }) => aiSdkWire().apply({ messages, instructions }, []),
  ]
}
