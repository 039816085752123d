import assert from 'node:assert/strict'
import { it } from 'node:test'
import { categoryOf } from '../src/rules.ts'

it('the vendor decides the category', () => {
  assert.equal(categoryOf('Shinkawa Taxi'), 'travel')
  assert.equal(categoryOf('Hotel Alfama Norte'), 'lodging')
  assert.equal(categoryOf('Café Miradouro'), 'meals')
  assert.equal(categoryOf('BUNBOGU MORI'), 'office')
  assert.equal(categoryOf('Denki Cloud'), 'software')
})

it('an unknown vendor is "other"', () => {
  assert.equal(categoryOf('Aoi Florist'), 'other')
})
