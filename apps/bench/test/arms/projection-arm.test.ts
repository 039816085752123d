import { expect, it } from 'vitest'
import { projectionArm } from '../../src/arms/arm.ts'
import { bundled, tokens } from './conversations.ts'

it('shows what its function makes of each transcript, without tools', async () => {
  const arm = projectionArm({ name: 'last', description: '', kind: 'bound' }, (transcript, { budget }) =>
    transcript.slice(-budget),
  )
  const opened = await arm.open({ sessionId: 's', budget: 3, tokens })
  const shown = { tools: [], warnings: [] }
  expect(await opened.project(bundled.slice(0, 3))).toEqual({
    ...shown,
    messages: bundled.slice(0, 3),
    compacted: false,
  })
  expect(await opened.project(bundled.slice(0, 5))).toEqual({
    ...shown,
    messages: bundled.slice(2, 5),
    compacted: true,
  })
})
