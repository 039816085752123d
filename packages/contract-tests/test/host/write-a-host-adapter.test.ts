import * as core from '@palimpsest/core'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../../scripts/run-example.ts'
import { type HostTarget, planHost, runSuite } from '../../src/host/index.ts'
import { LOOP_STEPS, type Loop, openLoopHost } from './loop-host.ts'

const [adapter = '', target = ''] = examplesOf(
  new URL('../../../../docs/write-a-host-adapter.md', import.meta.url),
)

type Answer = Awaited<ReturnType<typeof LOOP_STEPS.ask>>
type Request = Parameters<typeof LOOP_STEPS.ask>[1] & { readonly signal?: AbortSignal | undefined }
interface Model {
  ask(request: Request): Promise<Answer>
}
interface Adapter extends Model {
  readonly session: core.ContextSession
  readonly tools: core.ToolSchema[]
  runTool(name: string, args: string, signal: AbortSignal | undefined): Promise<string>
}

it('docs/write-a-host-adapter.md shows an adapter that passes the suite', async () => {
  const withEngine = (await runExample(adapter, { '@palimpsest/core': core }, {}, 'withEngine')) as (
    model: Model,
    options: core.ContextSessionOptions<Record<string, unknown>>,
  ) => Adapter

  /** The loop of the tests as a framework that knows nothing of engines but what the adapter brings. */
  const openConversation: HostTarget['open'] = (setup) => {
    const { engine, contextLength, sessionId } = setup
    const model = ({ signal, ...request }: Request) =>
      LOOP_STEPS.ask({ setup, session: adapted.session, signal }, request)
    const adapted = withEngine({ ask: model }, { engine, contextLength, sessionId })
    return openLoopHost(setup, {
      ...LOOP_STEPS,
      createSession: () => adapted.session,
      prepare: async (_, history) => ({
        messages: history,
        tools: [...LOOP_STEPS.toolsOf(setup), ...adapted.tools],
      }),
      ask: ({ signal }, request) => adapted.ask({ ...request, signal }),
      async recover(_, error) {
        throw error
      },
      observe: async () => {},
      async answerCall({ signal }: Loop, call) {
        const name = core.toolCallName(call)
        if (!adapted.tools.some((tool) => tool.function.name === name)) return undefined
        const content = await adapted.runTool(name, core.toolCallInput(call), signal)
        return { role: 'tool', tool_call_id: call.id, content }
      },
    })
  }

  const targets: HostTarget[] = []
  await runExample(target, {
    '@palimpsest/contract-tests/vitest': { testHost: (made: HostTarget) => targets.push(made) },
    './support/host-target.ts': { openConversation },
  })
  const results = await runSuite(planHost(targets[0] as HostTarget))
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
})
