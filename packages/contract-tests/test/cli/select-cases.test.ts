import { describe, expect, it } from 'vitest'
import { selectCases, selectsCases } from '../../src/cli/select-cases.ts'

const cases = ['C01', 'C02', 'C03', 'C10', 'P01', 'P02', 'PX1'].map((id) => ({
  id,
  title: id,
  since: '0.1.0',
  run: async () => {},
}))
const select = (...wanted: string[]) => selectCases(cases, wanted).map(({ id }) => id)

describe('selectCases', () => {
  it('takes ids, ranges and prefixes, and keeps the order of the suite', () => {
    expect(select('P', 'c02-C10', 'C01', 'C01')).toEqual(['C01', 'C02', 'C03', 'C10', 'P01', 'P02'])
  })

  it('takes ids with commas between them', () => {
    expect(select('C10,C01', 'P02,')).toEqual(['C01', 'C10', 'P02'])
  })

  it('takes all cases when none is asked for', () => {
    expect(select()).toHaveLength(cases.length)
  })

  it('takes a range whose ends are not there', () => {
    expect(select('C04-C99')).toEqual(['C10'])
  })

  it('names what is near to an unknown id', () => {
    expect(() => select('C12')).toThrow('no case is called "C12"; the nearest are C10, C03, C02')
    expect(() => select('C70-C80')).toThrow('the nearest are C10, C03, C02')
  })

  it('names the letters when nothing is near', () => {
    expect(() => select('Q1')).toThrow('no case is called "Q1"; ids begin with C, P, PX')
    expect(() => select('')).toThrow('no case is called ""')
  })

  it.each(['C01-P02', 'C10-C3', 'c3-c1'])('says what a range is instead of taking %s', (range) => {
    expect(() => select(range)).toThrow(
      `no case is called "${range}"; a range stays within one letter and goes upwards, as C10-C14 does`,
    )
  })

  it('tells cases from names of modules', () => {
    expect(['C10', 'c01,c02', 'C01-C03', 'P'].map((text) => selectsCases(cases, text))).not.toContain(false)
    expect(['C99', 'my-engine', ''].map((text) => selectsCases(cases, text))).not.toContain(true)
  })
})
