;; Counts, for 128 values at once, how many of some documents have each. Read by value-rows.ts as value-rows.gen.ts, which
;; `npm run generate` writes. A document has a row of vectors, with a bit for each value.
(module
  (memory (export "memory") 1)

  ;; The vector of the document whose number is at `list`.
  (func $vectorOf (param $list i32) (param $rows i32) (param $shift i32) (result v128)
    (v128.load
      (i32.add (local.get $rows) (i32.shl (i32.load (local.get $list)) (local.get $shift)))))

  ;; What is carried when three bits are added.
  (func $carry (param $a v128) (param $b v128) (param $c v128) (result v128)
    (v128.or
      (v128.and (local.get $a) (local.get $b))
      (v128.and (v128.xor (local.get $a) (local.get $b)) (local.get $c))))

  (func $sum (param $a v128) (param $b v128) (param $c v128) (result v128)
    (v128.xor (v128.xor (local.get $a) (local.get $b)) (local.get $c)))

  ;; Counts the documents of `list`, whose number is a multiple of eight and not zero. `rows` is where the vector of document
  ;; 0 lies; that of the next one lies 2 to the power of `shift` bytes after it. The numbers are written to `out`, for bits 0,
  ;; 32, 64 and 96, then for bits 1, 33, 65 and 97, and so on. `digits` is room for 32 vectors.
  ;;
  ;; Vectors are added as an adder does: each binary digit of the 128 sums is a vector. Eight documents are added up to one
  ;; that is carried to the fourth digit.
  (func (export "tally")
    (param $list i32) (param $count i32) (param $rows i32) (param $shift i32) (param $digits i32) (param $out i32)
    (local $end i32) (local $at i32) (local $used i32) (local $digit i32) (local $bit i32)
    (local $ones v128) (local $twos v128) (local $fours v128) (local $a v128) (local $b v128)
    (local $carried v128) (local $carriedToo v128) (local $carriedLast v128) (local $known v128) (local $sums v128)
    (memory.fill (local.get $digits) (i32.const 0) (i32.const 512))
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $used (i32.add (local.get $digits) (i32.const 48)))
    (loop $nextEight
      (local.set $a (call $vectorOf (local.get $list) (local.get $rows) (local.get $shift)))
      (local.set $b
        (call $vectorOf (i32.add (local.get $list) (i32.const 4)) (local.get $rows) (local.get $shift)))
      (local.set $carried (call $carry (local.get $a) (local.get $b) (local.get $ones)))
      (local.set $ones (call $sum (local.get $a) (local.get $b) (local.get $ones)))
      (local.set $a
        (call $vectorOf (i32.add (local.get $list) (i32.const 8)) (local.get $rows) (local.get $shift)))
      (local.set $b
        (call $vectorOf (i32.add (local.get $list) (i32.const 12)) (local.get $rows) (local.get $shift)))
      (local.set $carriedToo (call $carry (local.get $a) (local.get $b) (local.get $ones)))
      (local.set $ones (call $sum (local.get $a) (local.get $b) (local.get $ones)))
      (local.set $carriedLast (call $carry (local.get $carried) (local.get $carriedToo) (local.get $twos)))
      (local.set $twos (call $sum (local.get $carried) (local.get $carriedToo) (local.get $twos)))
      (local.set $a
        (call $vectorOf (i32.add (local.get $list) (i32.const 16)) (local.get $rows) (local.get $shift)))
      (local.set $b
        (call $vectorOf (i32.add (local.get $list) (i32.const 20)) (local.get $rows) (local.get $shift)))
      (local.set $carried (call $carry (local.get $a) (local.get $b) (local.get $ones)))
      (local.set $ones (call $sum (local.get $a) (local.get $b) (local.get $ones)))
      (local.set $a
        (call $vectorOf (i32.add (local.get $list) (i32.const 24)) (local.get $rows) (local.get $shift)))
      (local.set $b
        (call $vectorOf (i32.add (local.get $list) (i32.const 28)) (local.get $rows) (local.get $shift)))
      (local.set $carriedToo (call $carry (local.get $a) (local.get $b) (local.get $ones)))
      (local.set $ones (call $sum (local.get $a) (local.get $b) (local.get $ones)))
      (local.set $a (call $carry (local.get $carried) (local.get $carriedToo) (local.get $twos)))
      (local.set $twos (call $sum (local.get $carried) (local.get $carriedToo) (local.get $twos)))
      (local.set $carried (call $carry (local.get $carriedLast) (local.get $a) (local.get $fours)))
      (local.set $fours (call $sum (local.get $carriedLast) (local.get $a) (local.get $fours)))
      (local.set $at (i32.add (local.get $digits) (i32.const 48)))
      (block $isAdded
        (loop $nextDigit
          (br_if $isAdded (i32.eqz (v128.any_true (local.get $carried))))
          (local.set $known (v128.load (local.get $at)))
          (v128.store (local.get $at) (v128.xor (local.get $known) (local.get $carried)))
          (local.set $carried (v128.and (local.get $known) (local.get $carried)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $nextDigit)))
      (if (i32.gt_u (local.get $at) (local.get $used))
        (then (local.set $used (local.get $at))))
      (local.set $list (i32.add (local.get $list) (i32.const 32)))
      (br_if $nextEight (i32.lt_u (local.get $list) (local.get $end))))
    (v128.store (local.get $digits) (local.get $ones))
    (v128.store offset=16 (local.get $digits) (local.get $twos))
    (v128.store offset=32 (local.get $digits) (local.get $fours))
    (loop $nextBit
      (local.set $sums (v128.const i32x4 0 0 0 0))
      (local.set $digit (i32.const 0))
      (local.set $at (local.get $digits))
      (loop $nextDigit
        (local.set $sums
          (i32x4.add
            (local.get $sums)
            (i32x4.shl
              (v128.and
                (i32x4.shr_u (v128.load (local.get $at)) (local.get $bit))
                (v128.const i32x4 1 1 1 1))
              (local.get $digit))))
        (local.set $digit (i32.add (local.get $digit) (i32.const 1)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $nextDigit (i32.lt_u (local.get $at) (local.get $used))))
      (v128.store (local.get $out) (local.get $sums))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (local.set $bit (i32.add (local.get $bit) (i32.const 1)))
      (br_if $nextBit (i32.lt_u (local.get $bit) (i32.const 32))))))
