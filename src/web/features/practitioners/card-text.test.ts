import { describe, expect, test } from 'vitest'
import { cardIssues, cardText } from './card-text.ts'

describe('the description on a card', () => {
  const filler = 'I listen first, and we find words for what has no words yet'

  test('a short one stays whole', () => {
    expect(cardText(` ${filler}. `)).toBe(`${filler}.`)
  })

  test('a long one ends with the last sentence that fits', () => {
    expect(cardText(`${filler}. Plain words, no pressure, and a plan that is yours.`)).toBe(`${filler}.`)
  })

  test('a long first sentence ends with a whole word and an ellipsis', () => {
    const cut = cardText(`${filler}, whatever brought you here, and for however long it takes you`)
    expect(cut).toBe(`${filler}, whatever brought you…`)
    expect(cut.length).toBeLessThanOrEqual(85)
  })

  test('a text without spaces is cut all the same', () => {
    expect(cardText('x'.repeat(300))).toBe(`${'x'.repeat(84)}…`)
  })
})

describe('the issues on a card', () => {
  test('are as many as fit, at least one', () => {
    expect(cardIssues(['Anxiety', 'Grief and loss'])).toBe('Anxiety, Grief and loss')
    expect(
      cardIssues([
        'Identity and sexuality',
        'Relationship difficulties',
        'Separation and divorce',
        'Anxiety',
      ]),
    ).toBe('Identity and sexuality, Relationship difficulties')
    expect(cardIssues(['x'.repeat(100), 'Anxiety'])).toBe('x'.repeat(100))
    expect(cardIssues([])).toBe('')
  })
})
