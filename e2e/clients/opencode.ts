import { type Reply, startMockUpstream } from '../../apps/palimpsest/test/gateway/mock-upstream.ts'
import { sequenceFault, type UpstreamBody } from '../../apps/palimpsest/test/gateway/sequence-fault.ts'
import type { TestedClient } from './scenarios.ts'
import type { Asker, Step } from './scripted-model.ts'

const MODEL = 'mock-large'

export const opencode: TestedClient = {
  name: 'opencode',
  window: 48_000,
  flags: ['--model', MODEL],
  model: MODEL,
  environment: { OPENAI_API_KEY: 'sk-test' },
  ask: (prompt) => ['run', prompt],
  resume: (prompt) => ['run', '--continue', prompt],
  async upstream(model, window) {
    const answer = (body: UpstreamBody) => reply(model.next(askerOf(body)))
    const mock = await startMockUpstream({ answer, window: window + MAX_TOKENS })
    const code = 'context_length_exceeded'
    const message = `This model's maximum context length is ${window} tokens.`
    return {
      baseUrl: mock.baseUrl,
      requests: mock.requests,
      faults: () => [...mock.missed, ...mock.requests.flatMap(({ body }) => sequenceFault(body) ?? [])],
      reasoningBack: () => mock.reasoningBack,
      refuseNext: () =>
        mock.failNext({ type: 'status', status: 400, body: JSON.stringify({ error: { message, code } }) }),
      breakNext: () => mock.failNext({ type: 'disconnect' }),
    }
  },
}

/** The client asks for more than a small window has: what the answer may take is not the matter here. */
const MAX_TOKENS = 32_000

function askerOf({ tools = [] }: UpstreamBody): Asker {
  const has = (name: string) => tools.some((tool) => tool.function.name === name)
  if (!has('bash')) return 'title'
  return has('task') ? 'main' : 'sub-agent'
}

/** It thinks before each call, as Kimi and DeepSeek do. */
function reply(step: Step): Reply {
  const reasoning = 'What comes next?'
  if ('text' in step) return { content: step.text }
  if ('grep' in step) return { reasoning, calls: [{ name: 'lcm_grep', arguments: { query: step.grep } }] }
  if ('command' in step)
    return {
      reasoning,
      calls: [{ name: 'bash', arguments: { command: step.command, description: 'a step' } }],
    }
  const task = { description: 'a part', prompt: step.task, subagent_type: 'general' }
  return { reasoning, calls: [{ name: 'task', arguments: task }] }
}
