import { describe, expect, it } from 'vitest'
import { createCalibration } from '../src/calibration.ts'

describe('createCalibration', () => {
  it('changes nothing before it has seen anything', () => {
    expect(createCalibration().apply(1000)).toBe(1000)
  })

  it('learns the factor of a tokenizer although every prompt carries a fixed part', () => {
    const calibration = createCalibration()
    for (let counted = 1_000; counted <= 60_000; counted += 3_000)
      calibration.observe(counted, 15_000 + 1.3 * counted)
    expect(calibration.apply(1000)).toBeCloseTo(1300, 0)
  })

  it('uses the plain ratio while all prompts were of one size', () => {
    const calibration = createCalibration()
    calibration.observe(1_000, 1_200)
    calibration.observe(1_000, 1_200)
    expect(calibration.apply(100)).toBeCloseTo(120, 5)
  })

  it('follows a change of model and forgets the old one', () => {
    const calibration = createCalibration()
    for (let counted = 1_000; counted <= 60_000; counted += 3_000) calibration.observe(counted, counted)
    for (let counted = 1_000; counted <= 120_000; counted += 3_000)
      calibration.observe(counted, 1.5 * counted)
    expect(calibration.apply(1000)).toBeGreaterThan(1450)
  })

  it('is not led astray by nonsense', () => {
    const calibration = createCalibration()
    for (const reported of [0, -5, Number.NaN, Number.POSITIVE_INFINITY]) calibration.observe(1_000, reported)
    expect(calibration.apply(1000)).toBe(1000)
    calibration.observe(1_000, 1_000_000)
    expect(calibration.apply(1000)).toBe(2500)
  })
})
