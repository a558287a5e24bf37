import { expect, test } from 'vitest'
import { createReplicaAge } from './replica-age.ts'

test('a replica is as old as the newest position of the primary that it has replayed', () => {
  const age = createReplicaAge()
  expect(age.age(0)).toBe(Number.POSITIVE_INFINITY)
  age.notePrimary({ at: 1000, position: 50 })
  age.noteReplica(49)
  expect(age.age(1000)).toBe(Number.POSITIVE_INFINITY)
  age.notePrimary({ at: 1500, position: 80 })
  age.noteReplica(60)
  expect(age.age(1500)).toBe(500)
  age.noteReplica(80)
  expect(age.age(1600)).toBe(100)
})

test('a primary without writes leaves its replica young', () => {
  const age = createReplicaAge()
  for (const at of [0, 500, 1000]) {
    age.notePrimary({ at, position: 50 })
    age.noteReplica(50)
  }
  expect(age.age(1000)).toBe(0)
})

test('a replica that stands still grows old, also over many looks, and is young again once it has caught up', () => {
  const age = createReplicaAge()
  age.notePrimary({ at: 0, position: 0 })
  age.noteReplica(0)
  for (let look = 1; look <= 1000; look++) {
    age.notePrimary({ at: look, position: look })
    age.noteReplica(0)
  }
  expect(age.age(1000)).toBe(1000)
  age.noteReplica(990)
  expect(age.age(1000)).toBe(10)
})

test('a replica of which something is asked in vain counts as unknown', () => {
  const age = createReplicaAge()
  age.notePrimary({ at: 0, position: 5 })
  age.noteReplica(5)
  age.forget()
  expect(age.age(0)).toBe(Number.POSITIVE_INFINITY)
})

test('what was known is forgotten where another primary goes on from an earlier position', () => {
  const age = createReplicaAge()
  age.notePrimary({ at: 0, position: 100 })
  age.noteReplica(100)
  age.notePrimary({ at: 10, position: 90 })
  expect(age.age(10)).toBe(Number.POSITIVE_INFINITY)
  age.noteReplica(95)
  expect(age.age(10)).toBe(0)
})
