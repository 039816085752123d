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

  it('takes what one size of prompt cost beyond its count for a fixed part', () => {
    const calibration = createCalibration()
    calibration.observe(300, 20_300)
    calibration.observe(301, 20_301)
    expect(calibration.apply(51_000)).toBe(51_000)
  })

  it('believes no slope that makes no sense', () => {
    const calibration = createCalibration()
    calibration.observe(1_000, 50_000)
    calibration.observe(2_000, 40_000)
    expect(calibration.apply(100_000)).toBe(100_000)
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
    calibration.observe(1_000, 1_000)
    calibration.observe(2_000, 1_000_000)
    expect(calibration.apply(1000)).toBe(2000)
  })
})
