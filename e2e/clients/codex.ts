import { type ResponsesReply, startMockResponses } from '../../apps/palimpsest/test/gateway/mock-responses.ts'
import type { ResponsesBody } from '../../apps/palimpsest/test/gateway/responses-fault.ts'
import type { TestedClient } from './scenarios.ts'
import type { Asker, Step } from './scripted-model.ts'

/** Nothing is asked, and no sandbox is needed: the commands count. */
const FREE = ['--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check']

export const codex: TestedClient = {
  name: 'codex',
  window: 64_000,
  flags: [],
  environment: { OPENAI_API_KEY: 'sk-test' },
  ask: (prompt) => ['exec', ...FREE, prompt],
  resume: (prompt) => ['exec', ...FREE, 'resume', '--last', prompt],
  async upstream(model, window) {
    const answer = (body: ResponsesBody) => reply(model.next(askerOf(body)))
    const mock = await startMockResponses({ answer, window, bindsReasoning: false })
    const error = { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' }
    return {
      baseUrl: mock.baseUrl,
      requests: mock.requests,
      faults: () => mock.refused,
      reasoningBack: () => mock.reasoningBack,
      refuseNext: () => mock.failNext({ type: 'status', status: 400, error }),
      breakNext: () => mock.failNext({ type: 'disconnect' }),
    }
  },
}

function askerOf({ client_metadata: metadata }: ResponsesBody): Asker {
  const turn = String((metadata as Record<string, unknown>)['x-codex-turn-metadata'])
  return JSON.parse(turn).agent_name === '/root' ? 'main' : 'sub-agent'
}

function reply(step: Step): ResponsesReply {
  if ('text' in step) return { thinks: true, text: step.text }
  if ('grep' in step) return { calls: [{ name: 'lcm_grep', arguments: { query: step.grep } }] }
  if ('command' in step) {
    const call = JSON.stringify({ cmd: step.command })
    return { thinks: true, calls: [{ name: 'exec', input: `text(await tools.exec_command(${call}))` }] }
  }
  const task = { task_name: 'part', message: step.task }
  return { calls: [{ namespace: 'collaboration', name: 'spawn_agent', arguments: task }] }
}
