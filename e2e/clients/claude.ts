import { type AnthropicBody, blocksOf, textOf } from '../../apps/palimpsest/test/gateway/anthropic-fault.ts'
import { type AnthropicReply, startMockAnthropic } from '../../apps/palimpsest/test/gateway/mock-anthropic.ts'
import type { TestedClient } from './scenarios.ts'
import type { Asker, Step } from './scripted-model.ts'

export const claude: TestedClient = {
  name: 'claude',
  window: 64_000,
  flags: [],
  environment: {
    ANTHROPIC_API_KEY: 'sk-ant-test',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  },
  ask: (prompt) => ['-p', prompt, '--allowedTools', 'Bash,Agent'],
  resume: (prompt) => ['-p', '--continue', prompt, '--allowedTools', 'Bash,Agent'],
  compact: ['-p', '--continue', '/compact'],
  async upstream(model, window) {
    const answer = (body: AnthropicBody) => reply(model.next(askerOf(body)))
    const mock = await startMockAnthropic({ answer, window })
    const message = `prompt is too long: ${window + 1} tokens > ${window} maximum`
    return {
      baseUrl: mock.baseUrl,
      requests: mock.requests,
      faults: () => mock.faults,
      reasoningBack: () => mock.thinkingSeen,
      refuseNext: () =>
        mock.failNext({ type: 'status', status: 400, kind: 'invalid_request_error', message }),
      breakNext: () => mock.failNext({ type: 'disconnect' }),
    }
  },
}

function askerOf({ system, messages, tools = [] }: AnthropicBody): Asker {
  if (!tools.some(({ name }) => name === 'Bash')) return 'title'
  const last = messages.findLast(({ role }) => role === 'user')
  if (textOf(last?.content).includes('CRITICAL: Respond with TEXT ONLY')) return 'compaction'
  const isPart = blocksOf(system).some(({ text }) => String(text).includes('cc_is_subagent=true'))
  return isPart ? 'sub-agent' : 'main'
}

/** It thinks before each call: what is behind an edit must not keep that. */
function reply(step: Step): AnthropicReply {
  const thinking = 'What comes next?'
  if ('text' in step) return step
  if ('grep' in step) return { thinking, calls: [{ name: 'lcm_grep', input: { query: step.grep } }] }
  if ('command' in step)
    return {
      thinking,
      calls: [{ name: 'Bash', input: { command: step.command, description: 'a step' } }],
    }
  const input = { description: 'a part', prompt: step.task, subagent_type: 'general-purpose' }
  return { thinking, calls: [{ name: 'Agent', input }] }
}
