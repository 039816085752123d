import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ArtifactTouch } from '../../src/candidates/artifact-touch.ts'
import { TouchedFiles } from '../../src/render/touched-files.ts'
import { touchedBy } from './renders.ts'

const path = fc
  .tuple(
    fc.constantFrom('', 'src/', '/home/me/shop/', '/home/me/shop/src/', '/tmp/'),
    fc.constantFrom('', 'a/', 'b/'),
    fc.constantFrom(...'abcdefghijkl'),
  )
  .map(([folder, inside, name]) => `${folder}${inside}${name}.ts`)
const operation = fc.constantFrom('read' as const, 'edited' as const, 'created' as const)
const touch = fc.record({ path, operation, failed: fc.boolean(), message: fc.nat(3) })

it('reads on what it would read at once, also behind calls that were taken back', () => {
  const count = { takenBack: 0, byFolder: 0, late: 0 }
  const step = fc.record({
    added: fc.array(touch, { maxLength: 20, size: 'max' }),
    back: fc.constantFrom(0, 0, 0, 0, 1, 7),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20, size: 'max' }), (steps) => {
      const files = new TouchedFiles()
      let touches: readonly ArtifactTouch[] = []
      const known = new Set<string>()
      let [next, seen] = [0, 0]
      for (const { added, back } of steps) {
        files.takeBack(next - back)
        const kept = touches.filter(({ message }) => message < next - back)
        count.takenBack += touches.length - kept.length
        next = Math.max(0, next - back)
        // Calls of earlier messages may end later.
        const late = (message: number) => Math.max(0, next - message)
        const told = added.map(({ message, ...rest }) => ({
          ...rest,
          message: late(message),
          call: 0,
          turn: next,
        }))
        files.add(told)
        touches = [...kept, ...told]
        count.late += added.filter(({ message }) => message > 0).length
        next++
        const read = files.lines()
        const whole = touchedBy(touches)
        expect(read).toEqual(whole.lines())
        expect([files.size, files.names()]).toEqual([whole.size, whole.names()])
        for (const name of files.changes.slice(seen)) if (!known.delete(name)) known.add(name)
        seen = files.changes.length
        expect(known).toEqual(files.names())
        if (read.lines.some((line) => line.files > 1)) count.byFolder++
      }
    }),
    { numRuns: 100 },
  )
  console.log(`files: ${JSON.stringify(count)}`)
  for (const each of Object.values(count)) expect(each).toBeGreaterThan(100)
})

it('names the folders of most value where they are very many', () => {
  const touches = Array.from({ length: 400 }, (_, index) => ({
    path: `part-${index}/index.ts`,
    operation: index < 399 ? ('read' as const) : ('edited' as const),
    failed: false,
    message: index,
    turn: index < 200 ? 1 : 2,
    call: 0,
  }))
  const { lines, files } = touchedBy(touches).lines()
  const later = touches.slice(200).map(({ path }) => path.replace('index.ts', ''))
  expect(files).toBe(400)
  expect(lines).toHaveLength(300)
  expect(later.every((folder, index) => lines[100 + index]?.text.includes(`${folder}:`))).toBe(true)
})
