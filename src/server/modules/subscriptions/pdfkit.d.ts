// pdfkit ships no types. These are the parts used here.
declare module 'pdfkit' {
  import type { Readable } from 'node:stream'

  type TextOptions = { width?: number; align?: 'left' | 'right'; lineGap?: number; continued?: boolean }

  class PDFDocument extends Readable {
    constructor(options: {
      size: string
      margins: { top: number; bottom: number; left: number; right: number }
      info: { Title: string; Author: string; CreationDate: Date }
      lang: string
      tagged?: boolean
      displayTitle?: boolean
      pdfVersion?: string
    })
    readonly page: { width: number; height: number }
    x: number
    y: number
    font(name: string): this
    fontSize(size: number): this
    fillColor(colour: string): this
    strokeColor(colour: string): this
    lineWidth(width: number): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    stroke(): this
    text(text: string, x?: number, y?: number, options?: TextOptions): this
    heightOfString(text: string, options?: TextOptions): number
    addPage(): this
    end(): void
  }

  export = PDFDocument
}
