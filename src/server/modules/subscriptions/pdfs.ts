import { setImmediate as breathe } from 'node:timers/promises'
import { formatExactPence } from '#contract/money.ts'
import { clockTime, day, isoDay, monthName } from './format.ts'

const ink = '#25211b'
const soft = '#6c6354'
const line = '#d8cdb9'
const green = '#1f5b45'
const margins = { top: 64, bottom: 64, left: 60, right: 60 }
/** Width of A4 without its margins, in points. */
const width = 475

export type InvoiceFacts = {
  number: string
  seller: string
  buyer: string
  description: string
  amountPence: number
  issuedAt: Date
  /** Refunds since the payment. */
  refundedPence: number
  /** Returned by the bank after disputes that the platform lost. */
  takenBackPence: number
  /** Whether the bank has a dispute that it has not decided. */
  isDisputed: boolean
}

/**
 * An invoice as PDF, with the same bytes each time until a refund or dispute. It states the charge and its payment, and
 * claims no VAT.
 */
export function invoicePdf(facts: InvoiceFacts): Promise<Buffer> {
  const { number, seller, buyer, description, amountPence, issuedAt } = facts
  const { refundedPence, takenBackPence, isDisputed } = facts
  return pdf({ title: `Invoice ${number}`, author: seller, at: issuedAt }, (page) => {
    page.heading(`Invoice ${number}`)
    page.facts([
      ['Date', day(issuedAt)],
      ['From', seller],
      ['To', buyer],
    ])
    page.row(['Description', 'Amount'], { isHead: true })
    page.row([description, formatExactPence(amountPence)])
    page.row(['Total charged', formatExactPence(amountPence)], { isBold: true })
    if (refundedPence > 0) page.row(['Refunded to the card', formatExactPence(-refundedPence)])
    if (takenBackPence > 0) page.row(['Taken back by your bank', formatExactPence(-takenBackPence)])
    page.words('Paid by card. Nothing is left to pay.')
    if (isDisputed) page.words('Disputed through your bank, which has not decided yet.')
  })
}

export type StatementFacts = {
  month: string
  seller: string
  practitioner: string
  openingPence: number
  closingPence: number
  lines: {
    at: Date
    what: string
    clientPence: number
    discountPence: number
    owedPence: number
    /** Payment, Refund, or Paid out to you. */
    kind: string
    sessionAt: Date | null
    service: string
    /** The session's number, or the bank reference of a payout. */
    reference: string
    clientInitials: string
  }[]
  madeAt: Date
  /** Whether the month has ended. */
  isOver: boolean
}

const columns = ['Date', 'What', 'Client', 'Our share', 'Owed to you']
/** Rows that are drawn in one turn of the event loop: each takes a millisecond or more. */
const rowsPerTurn = 5

/** A month's statement as PDF. Drawn in many turns of the event loop, since a busy month has hundreds of rows. */
export function statementPdf(facts: StatementFacts): Promise<Buffer> {
  const { month, seller, practitioner, openingPence, closingPence, lines, madeAt, isOver } = facts
  const title = `Statement for ${monthName(month)}${isOver ? '' : ' so far'}`
  return pdf({ title, author: seller, at: madeAt }, async (page) => {
    page.heading(title)
    page.facts([
      ['From', seller],
      ['For', practitioner],
      ['Made on', day(madeAt)],
      ['Owed at the start', formatExactPence(openingPence)],
      [isOver ? 'Owed at the end' : 'Owed so far', formatExactPence(closingPence)],
    ])
    page.row(columns, { isHead: true })
    for (const [number, { at, what, clientPence, discountPence, owedPence }] of lines.entries()) {
      if (number % rowsPerTurn === 0) await breathe()
      page.row([
        day(at),
        what,
        formatExactPence(clientPence),
        formatExactPence(discountPence),
        formatExactPence(owedPence),
      ])
    }
    page.row(['', closingWords(facts), '', '', formatExactPence(closingPence)], { isBold: true })
    page.words(
      'What clients pay is owed to you in full. Our share is a friend’s discount on a first session, which we bear.',
    )
  })
}

const closingWords = ({ isOver }: StatementFacts) => (isOver ? 'Balance at the end' : 'Balance so far')

const tableColumns = [
  'Date',
  'Time',
  'What',
  'Session date',
  'Session time',
  'Service',
  'Reference',
  'Client',
  'Paid by client',
  'Our share',
  'Owed to you',
]

/**
 * The statement as CSV: UTF-8, amounts in pounds, times in Europe/London. It begins with a byte order mark: Excel takes
 * a CSV file without one for Windows-1252.
 */
export function statementTable(facts: StatementFacts): Buffer {
  const { openingPence, closingPence, lines, month } = facts
  const amount = (pence: number) => (pence / 100).toFixed(2)
  const balance = (date: string, what: string, pence: number) => [
    date,
    '',
    what,
    ...Array.from({ length: 7 }, () => ''),
    amount(pence),
  ]
  const rows = [
    tableColumns,
    balance(`${month}-01`, 'Balance at the start', openingPence),
    ...lines.map((each) => [
      isoDay(each.at),
      clockTime(each.at),
      each.kind,
      each.sessionAt ? isoDay(each.sessionAt) : '',
      each.sessionAt ? clockTime(each.sessionAt) : '',
      each.service,
      each.reference,
      each.clientInitials,
      amount(each.clientPence),
      amount(each.discountPence),
      amount(each.owedPence),
    ]),
    balance('', closingWords(facts), closingPence),
  ]
  // A spreadsheet would run text with these first characters as a formula.
  const harmless = (cell: string) =>
    /^[=+@\t\r]/.test(cell) || /^-(?!\d+\.\d\d$)/.test(cell) ? `'${cell}` : cell
  const quoted = (cell: string) => `"${harmless(cell).replaceAll('"', '""')}"`
  return Buffer.from(`\uFEFF${rows.map((row) => row.map(quoted).join(',')).join('\r\n')}\r\n`)
}

type Page = {
  heading(text: string): void
  facts(rows: [label: string, value: string][]): void
  /** Cells of a table row. All but the first two, or the first of two, are right-aligned. A head is repeated on each page. */
  row(cells: string[], look?: { isHead?: boolean; isBold?: boolean }): void
  words(text: string): void
}

async function pdf(
  { title, author, at }: { title: string; author: string; at: Date },
  write: (page: Page) => void | Promise<void>,
): Promise<Buffer> {
  // Loaded here, with its fonts: it took a tenth of the product's start.
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    margins,
    info: { Title: title, Author: printable(author), CreationDate: at },
    lang: 'en-GB',
    displayTitle: true,
    pdfVersion: '1.7',
  })
  const chunks: Buffer[] = []
  const bytes = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  let head: string[] | undefined
  doc.font('Helvetica-Bold').fontSize(18).fillColor(green).text('Hearth', margins.left, margins.top)
  await write({
    heading(text) {
      doc.font('Helvetica-Bold').fontSize(22).fillColor(ink).text(printable(text), margins.left, 116)
      doc.y += 18
    },
    facts(rows) {
      for (const [label, value] of rows) {
        const top = doc.y
        doc.font('Helvetica').fontSize(11).fillColor(soft).text(label, margins.left, top, { width: 130 })
        doc.fillColor(ink).text(printable(value), margins.left + 140, top, { width: width - 140 })
        doc.y += 5
      }
      doc.y += 20
    },
    row(cells, { isHead = false, isBold = false } = {}) {
      if (isHead) head = cells
      const places = cells.length === 2 ? [0, 375, 475] : [0, 96, 285, 345, 405, 475]
      const useFont = () => doc.font(isHead || isBold ? 'Helvetica-Bold' : 'Helvetica').fontSize(10)
      useFont()
      const texts = cells.map((cell, at) => {
        const from = places[at] ?? 0
        const isRight = at > 0 && at >= cells.length - 3 && !(cells.length > 2 && at < 2)
        const options = {
          width: (places[at + 1] ?? width) - from - 6,
          align: isRight ? ('right' as const) : ('left' as const),
        }
        return { text: printable(cell), from, options }
      })
      const height = Math.max(...texts.map(({ text, options }) => doc.heightOfString(text, options)))
      if (doc.y + height + 14 > doc.page.height - margins.bottom) {
        doc.addPage()
        if (head && !isHead) this.row(head, { isHead: true })
        useFont()
      }
      const top = doc.y
      for (const { text, from, options } of texts)
        doc.fillColor(isHead ? soft : ink).text(text, margins.left + from, top, options)
      doc.y = top + height + 6
      doc
        .strokeColor(line)
        .lineWidth(0.75)
        .moveTo(margins.left, doc.y)
        .lineTo(margins.left + width, doc.y)
        .stroke()
      doc.y += 7
    },
    words(text) {
      doc.font('Helvetica').fontSize(10).fillColor(soft)
      doc.text(printable(text), margins.left, doc.y + 12, { width })
    },
  })
  doc.end()
  return bytes
}

/** Replacements for letters that the PDF's built-in font lacks. */
const near: Record<string, string> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  Ħ: 'H',
  ŋ: 'n',
  Ŋ: 'N',
  ŧ: 't',
  Ŧ: 'T',
  ı: 'i',
  ẞ: 'SS',
  ʻ: '‘',
  ʼ: '’',
  '\t': ' ',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2010': '-',
  '\u2011': '-',
  '−': '–',
}
/** The letters of the built-in font: Latin 1 and the additions of Windows-1252. */
const drawable = /[\u0020-\u007e\u00a1-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\n]/

/** A text in the letters of the built-in font. A letter far from all of them becomes a question mark. */
function printable(text: string): string {
  const composed = text.normalize('NFC').replaceAll(/\p{Cf}/gu, '')
  return composed.replaceAll(/./gsu, (letter) => {
    if (drawable.test(letter)) return letter
    const plain = near[letter] ?? letter.normalize('NFD').replaceAll(/\p{M}/gu, '')
    // A mark that composes with no letter is left out.
    return plain === '' || drawable.test(plain) ? plain : '?'
  })
}
