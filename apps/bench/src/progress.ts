export type Progress = (text: string) => void
