export { createCalibration } from './calibration.ts'
export { createTokenCounter } from './create-token-counter.ts'
