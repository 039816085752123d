import type { Course, HostOpener } from './create-host-harness.ts'
import { createSuiteEngine, type EngineSession, type SuiteEngine } from './suite-engine.ts'

const TURNS = 36
const PLANS = [
  'look_up',
  'look_up+look_up, look_up',
  '',
  'suite_recall',
  'look_up, suite_recall+look_up',
  'look_up+look_up+look_up',
]

export async function runCourse(opener: HostOpener): Promise<Course> {
  const provider = await opener.provider()
  const engine = createSuiteEngine()
  const talk = await opener.open({ name: 'course', provider, engine })
  let failure: Error | undefined
  let history = ''
  try {
    for (let turn = 0; turn < TURNS; turn++) await talk.say(PLANS[turn % PLANS.length] ?? '')
    history = await talk.history()
    await talk.close()
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
  }
  return { talk, engine, history, failure }
}

export function onlySession({ sessions }: SuiteEngine): EngineSession {
  const [session, ...others] = sessions.values()
  if (session === undefined) throw new Error('no engine was created')
  if (others.length > 0)
    throw new Error(`one conversation, but engines were created for ${[...sessions.keys()].join(' and ')}`)
  return session
}
