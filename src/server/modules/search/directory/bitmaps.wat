;; Combines and counts sets of bits, 128 bits at a time. Read by bitmaps.ts as bitmaps.gen.ts, which `npm run generate`
;; writes. A set begins at a multiple of 16. All have the same length of `bytes`, a multiple of 64.
(module
  (memory (export "memory") 2)

  ;; How many ones the vectors summed up in each byte of `each` had.
  (func $sum (param $each v128) (result v128)
    (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $each))))

  (func $across (param $four v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $four)) (i32x4.extract_lane 1 (local.get $four)))
      (i32.add (i32x4.extract_lane 2 (local.get $four)) (i32x4.extract_lane 3 (local.get $four)))))

  ;; Writes what `a` has and `b` has as well, or, where `flip` is -1, has not. Returns how many that are.
  (func (export "and") (param $target i32) (param $a i32) (param $b i32) (param $flip i32) (param $bytes i32) (result i32)
    (local $at i32) (local $end i32) (local $both v128) (local $flips v128) (local $each v128) (local $total v128)
    (local.set $flips (i32x4.splat (local.get $flip)))
    (loop $nextBlock
      ;; Thirty times at most eight ones fit into each byte of `each`.
      (local.set $each (v128.const i32x4 0 0 0 0))
      (local.set $end (i32.add (local.get $at) (i32.const 480)))
      (if (i32.gt_u (local.get $end) (local.get $bytes))
        (then (local.set $end (local.get $bytes))))
      (loop $nextVector
        (local.set $both
          (v128.and
            (v128.load (i32.add (local.get $a) (local.get $at)))
            (v128.xor (local.get $flips) (v128.load (i32.add (local.get $b) (local.get $at))))))
        (v128.store (i32.add (local.get $target) (local.get $at)) (local.get $both))
        (local.set $each (i8x16.add (local.get $each) (i8x16.popcnt (local.get $both))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $nextVector (i32.lt_u (local.get $at) (local.get $end))))
      (local.set $total (i32x4.add (local.get $total) (call $sum (local.get $each))))
      (br_if $nextBlock (i32.lt_u (local.get $at) (local.get $bytes))))
    (call $across (local.get $total)))

  ;; Adds to `target` what `other` has.
  (func (export "or") (param $target i32) (param $other i32) (param $bytes i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $target) (local.get $bytes)))
    (loop $nextVector
      (v128.store (local.get $target)
        (v128.or (v128.load (local.get $target)) (v128.load (local.get $other))))
      (local.set $target (i32.add (local.get $target) (i32.const 16)))
      (local.set $other (i32.add (local.get $other) (i32.const 16)))
      (br_if $nextVector (i32.lt_u (local.get $target) (local.get $end)))))

  ;; Returns 1 when two sets have anything in common.
  (func (export "meet") (param $a i32) (param $b i32) (param $bytes i32) (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $a) (local.get $bytes)))
    (loop $nextVector
      (if (v128.any_true (v128.and (v128.load (local.get $a)) (v128.load (local.get $b))))
        (then (return (i32.const 1))))
      (local.set $a (i32.add (local.get $a) (i32.const 16)))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $nextVector (i32.lt_u (local.get $a) (local.get $end))))
    (i32.const 0))

  ;; Counts what a set has in common with each of `sets` others, whose addresses are read from `list`. The numbers are
  ;; written to `out`. Four vectors at a time are added up bit by bit, as an adder does: `ones` and `twos` keep the two low
  ;; digits of how often each bit was set, and only what is carried to the third one is counted.
  (func (export "count") (param $mask i32) (param $list i32) (param $sets i32) (param $out i32) (param $bytes i32)
    (local $set i32) (local $at i32) (local $end i32) (local $each v128) (local $fours v128) (local $total v128)
    (local $ones v128) (local $twos v128) (local $a v128) (local $b v128) (local $half v128)
    (local $carried v128) (local $carriedToo v128)
    (loop $nextSet
      (local.set $set (i32.load (local.get $list)))
      (local.set $total (v128.const i32x4 0 0 0 0))
      (local.set $ones (v128.const i32x4 0 0 0 0))
      (local.set $twos (v128.const i32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (loop $nextBlock
        ;; Thirty-one times at most eight ones fit into each byte of `each`.
        (local.set $each (v128.const i32x4 0 0 0 0))
        (local.set $end (i32.add (local.get $at) (i32.const 1984)))
        (if (i32.gt_u (local.get $end) (local.get $bytes))
          (then (local.set $end (local.get $bytes))))
        (loop $nextFour
          (local.set $a
            (v128.and
              (v128.load (i32.add (local.get $mask) (local.get $at)))
              (v128.load (i32.add (local.get $set) (local.get $at)))))
          (local.set $b
            (v128.and
              (v128.load offset=16 (i32.add (local.get $mask) (local.get $at)))
              (v128.load offset=16 (i32.add (local.get $set) (local.get $at)))))
          (local.set $half (v128.xor (local.get $a) (local.get $b)))
          (local.set $carried
            (v128.or
              (v128.and (local.get $a) (local.get $b))
              (v128.and (local.get $half) (local.get $ones))))
          (local.set $ones (v128.xor (local.get $half) (local.get $ones)))
          (local.set $a
            (v128.and
              (v128.load offset=32 (i32.add (local.get $mask) (local.get $at)))
              (v128.load offset=32 (i32.add (local.get $set) (local.get $at)))))
          (local.set $b
            (v128.and
              (v128.load offset=48 (i32.add (local.get $mask) (local.get $at)))
              (v128.load offset=48 (i32.add (local.get $set) (local.get $at)))))
          (local.set $half (v128.xor (local.get $a) (local.get $b)))
          (local.set $carriedToo
            (v128.or
              (v128.and (local.get $a) (local.get $b))
              (v128.and (local.get $half) (local.get $ones))))
          (local.set $ones (v128.xor (local.get $half) (local.get $ones)))
          (local.set $half (v128.xor (local.get $carried) (local.get $carriedToo)))
          (local.set $fours
            (v128.or
              (v128.and (local.get $carried) (local.get $carriedToo))
              (v128.and (local.get $half) (local.get $twos))))
          (local.set $twos (v128.xor (local.get $half) (local.get $twos)))
          (local.set $each (i8x16.add (local.get $each) (i8x16.popcnt (local.get $fours))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $nextFour (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $total (i32x4.add (local.get $total) (call $sum (local.get $each))))
        (br_if $nextBlock (i32.lt_u (local.get $at) (local.get $bytes))))
      (local.set $total
        (i32x4.add
          (i32x4.shl (local.get $total) (i32.const 2))
          (i32x4.add
            (i32x4.shl (call $sum (i8x16.popcnt (local.get $twos))) (i32.const 1))
            (call $sum (i8x16.popcnt (local.get $ones))))))
      (i32.store (local.get $out) (call $across (local.get $total)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $list (i32.add (local.get $list) (i32.const 4)))
      (local.set $sets (i32.sub (local.get $sets) (i32.const 1)))
      (br_if $nextSet (local.get $sets))))

  ;; Leaves in `target` those whose number is at most `bound`, or, where `flip` is -1, above it. There is a set for each
  ;; binary digit of the numbers; their addresses are read from `list`, the lowest digit first.
  (func (export "keep")
    (param $target i32) (param $list i32) (param $digits i32) (param $bound i32) (param $flip i32) (param $bytes i32)
    (local $at i32) (local $digit i32) (local $bits v128) (local $less v128) (local $equal v128) (local $flips v128)
    (local.set $flips (i32x4.splat (local.get $flip)))
    (loop $nextVector
      (local.set $less (v128.const i32x4 0 0 0 0))
      (local.set $equal (v128.const i32x4 -1 -1 -1 -1))
      (local.set $digit (local.get $digits))
      (loop $nextDigit
        (local.set $digit (i32.sub (local.get $digit) (i32.const 1)))
        (local.set $bits
          (v128.load
            (i32.add
              (local.get $at)
              (i32.load (i32.add (local.get $list) (i32.shl (local.get $digit) (i32.const 2)))))))
        (if (i32.and (i32.shr_u (local.get $bound) (local.get $digit)) (i32.const 1))
          (then
            (local.set $less
              (v128.or (local.get $less) (v128.andnot (local.get $equal) (local.get $bits))))
            (local.set $equal (v128.and (local.get $equal) (local.get $bits))))
          (else (local.set $equal (v128.andnot (local.get $equal) (local.get $bits)))))
        (br_if $nextDigit (local.get $digit)))
      (v128.store (i32.add (local.get $target) (local.get $at))
        (v128.and
          (v128.load (i32.add (local.get $target) (local.get $at)))
          (v128.xor (local.get $flips) (v128.or (local.get $less) (local.get $equal)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $nextVector (i32.lt_u (local.get $at) (local.get $bytes))))))
