import { looseOf } from '@palimpsest/core'
import { generateText, type LanguageModel, type LanguageModelMiddleware, type ModelMessage } from 'ai'
import type { ModelConversation, ModelRequest } from './model-conversation.ts'

interface OverflowInput {
  /** The conversation's last request. Undefined before the first. */
  readonly lastSent: () => readonly ModelMessage[] | undefined
  /** Makes the prompt smaller, or throws why that is not possible. */
  readonly recover: ModelConversation['recover']
}

/**
 * Sends less when a provider refuses a prompt as too long, which it does before it answers. A request that is not the
 * conversation's last one, such as a summary by the same model, has nothing to do with the session: its error goes on.
 */
export function createOverflowMiddleware({ lastSent, recover }: OverflowInput): LanguageModelMiddleware {
  const send = async <Result>(
    { params, model }: { readonly params: ModelCall; readonly model: WrappedModel },
    first: () => PromiseLike<Result>,
    again: (prompt: ModelPrompt) => PromiseLike<Result>,
  ): Promise<Result> => {
    let attempt = first
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        const sent = lastSent()
        const isOurs = sent !== undefined && promptKey(sent) === promptKey(params.prompt)
        const less: ModelRequest | undefined = isOurs
          ? await recover(error, { abortSignal: params.abortSignal })
          : undefined
        if (less === undefined) throw error
        const prompt = await toModelPrompt(less, model, params.abortSignal)
        attempt = () => again(prompt)
      }
    }
  }
  return {
    specificationVersion: 'v4',
    wrapGenerate: ({ doGenerate, params, model }) =>
      send({ params, model }, doGenerate, (prompt) => model.doGenerate({ ...params, prompt })),
    wrapStream: ({ doStream, params, model }) =>
      send({ params, model }, doStream, (prompt) => model.doStream({ ...params, prompt })),
  }
}

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>
/** A model as a middleware sees it, in the version of the AI SDK that is installed. */
type WrappedModel = Parameters<WrapGenerate>[0]['model']
type ModelCall = Parameters<WrapGenerate>[0]['params']
type ModelPrompt = ModelCall['prompt']

/** An answer that is not read. */
const ANSWER: Awaited<ReturnType<WrapGenerate>> = {
  content: [{ type: 'text', text: '.' }],
  finishReason: { unified: 'stop', raw: undefined },
  usage: {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  },
  warnings: [],
}

/**
 * Messages as the prompt of a model: files downloaded that the model cannot load itself, results grouped. The AI SDK
 * keeps its conversion to itself, so it is asked to generate with a model that only looks at what it is given.
 */
async function toModelPrompt(
  { instructions, messages }: ModelRequest,
  model: WrappedModel,
  abortSignal: AbortSignal | undefined,
): Promise<ModelPrompt> {
  let prompt: ModelPrompt = []
  const looking: Exclude<LanguageModel, string> = {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(call) {
      prompt = call.prompt
      return ANSWER
    },
    async doStream() {
      throw new Error('nothing is streamed')
    },
  }
  await generateText({
    model: looking,
    messages: [...messages],
    allowSystemInMessages: true,
    ...(instructions !== undefined && { instructions }),
    ...(abortSignal !== undefined && { abortSignal }),
  })
  return prompt
}

/**
 * The content of a prompt, without its form: the same for messages and for the prompt that was made of them. Markers
 * and options do not count.
 */
function promptKey(messages: ModelPrompt | readonly ModelMessage[]): string {
  const said = messages.flatMap(({ role, content }) => {
    if (role === 'system') return []
    const parts: readonly unknown[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return parts.map(looseOf).flatMap(({ type, text, toolCallId }) => {
      if (type === 'tool-call' || type === 'tool-result') return [[type, toolCallId]]
      return type === 'text' && text !== '' ? [[type, text]] : []
    })
  })
  return JSON.stringify(said)
}
