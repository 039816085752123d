import { openai } from '@ai-sdk/openai'
import { contextEngine } from '@palimpsest/ai-sdk'
import lcm from '@palimpsest/lcm'
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  generateId,
  isStepCount,
  streamText,
  toUIMessageStream,
  type UIMessage,
  validateUIMessages,
  wrapLanguageModel,
} from 'ai'
import { contextStore, loadChat, saveChat } from '../../../lib/store'

/** The model's window, in tokens. A small one shows in a few turns what a large one shows in an hour. */
const contextLength = Number(process.env.CONTEXT_LENGTH ?? 400_000)
const chatModel = openai.chat(process.env.CHAT_MODEL ?? 'gpt-6-luna')

/** Takes a chat's id and its next message, as the page sends them, and streams the answer. */
export async function POST(request: Request): Promise<Response> {
  const { id, message }: { id: string; message: UIMessage } = await request.json()
  const messages = await validateUIMessages({ messages: [...(await loadChat(id)), message] })
  await saveChat(id, messages)

  // What is known of this chat is in the store: no request needs the process of the one before.
  const context = contextEngine({
    engine: lcm,
    store: contextStore,
    sessionId: id,
    contextLength,
    maxOutputTokens: Math.floor(contextLength / 10),
  })
  context.session.subscribe((event) => {
    if (event.type === 'warning') console.warn(event.warning.message)
  })
  const result = streamText({
    model: wrapLanguageModel({ model: chatModel, middleware: context.middleware }),
    instructions: 'You are a helpful assistant.',
    messages: await convertToModelMessages(messages, { tools: context.tools }),
    tools: context.tools,
    prepareStep: context.prepareStep,
    onStepEnd: context.onStepEnd,
    stopWhen: isStepCount(20),
  })
  // The answer is stored although the browser may be gone.
  void result.consumeStream()

  const stream = toUIMessageStream({
    stream: result.stream,
    originalMessages: messages,
    generateMessageId: generateId,
    async onEnd({ messages: all }) {
      await saveChat(id, all)
      await context.end()
    },
  })
  return createUIMessageStreamResponse({ stream })
}
