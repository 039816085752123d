import { renderSummary } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { user } from '../../src/harness/conversations.ts'
import { frameOf, timesIn } from '../../src/harness/summary-frame.ts'

describe('the frame of a summary', () => {
  it('is the first and the last line, whatever stands between', () => {
    const [one, other] = [renderSummary('Alpha.\nalpha'), renderSummary('Beta.\nof beta.')].map(user)
    expect(frameOf(one as never, other as never)).toEqual({
      opening: '[Context summary: reference only]',
      closing: '[End of context summary]',
    })
  })

  it('leaves out an id, although two ids may begin alike', () => {
    const framed = (id: string, text: string) => user(`<summary id="${id}">\n${text}\n</summary>`)
    const { opening, closing } = frameOf(framed('s-71', 'Alpha.'), framed('s-79', 'Beta.'))
    expect([opening, closing]).toEqual(['<summary id="', '</summary>'])
  })

  it('is empty where the text of the model stands alone', () => {
    expect(frameOf(user('Alpha.\nalpha'), user('Beta.\nof beta.'))).toEqual({ opening: '', closing: '' })
  })

  it('is counted, but for an empty one', () => {
    expect(timesIn('a [x] b [x]', '[x]')).toBe(2)
    expect(timesIn('a', '')).toBe(0)
  })
})
