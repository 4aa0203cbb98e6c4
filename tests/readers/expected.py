"""What each test file means, worked out by hand from the file and its format's documentation.

`plan` is the one workload's keys (or a list of them), `facts` what was understood besides, `open`
the keys that stay open, `notes` the codes of what is said.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

FILES = Path(__file__).parent / "files"

EXPECTED: dict[str, dict[str, Any]] = {
    # -- axolotl: no GPU count and no tokens ---------------------------------------------------
    "axolotl_fft-8b.yaml": {
        "format": "axolotl",
        "plan": {
            "model": "llama-3.1-8b",
            "epochs": 1,
            "seq_len": 8192,
            "method": "full",
            "precision": "bf16",
        },
        "facts": {
            "micro_batch": 1,
            "accumulation": 8,
            "packing": True,
            "dataset": ("tatsu-lab/alpaca",),
            "validation_fraction": 0.05,
            "recompute": True,
            "optimizer": "paged_adamw_8bit",
        },
        "open": {"on", "tokens"},
    },
    "axolotl_qlora-fsdp-70b.yaml": {
        "format": "axolotl",
        "plan": {
            "model": "llama-3-70b",
            "epochs": 4,
            "seq_len": 512,
            "method": "qlora",
            "lora_rank": 8,
            "precision": "bf16",
        },
        "facts": {"micro_batch": 1, "accumulation": 4, "packing": False},
        "open": {"on", "tokens"},
        "notes": {"read_model_taken_as"},
    },
    "axolotl_qwen3-8b-fsdp-tp-cp.yaml": {
        "format": "axolotl",
        "plan": {
            "model": "qwen3-8b",
            "epochs": 2,
            "seq_len": 8192,
            "method": "full",
            "precision": "bf16",
        },
        "facts": {"data_shard": 2, "context": 2, "tensor": 2},
        "open": {"on", "tokens"},
    },
    "axolotl_gemma4-31b-qlora.yaml": {
        "format": "axolotl",
        "plan": {
            "model": "gemma-4-31b",
            "epochs": 1,
            "seq_len": 2048,
            "method": "qlora",
            "lora_rank": 16,
            "precision": "bf16",
        },
        "facts": {"accumulation": 4},
        "open": {"on", "tokens"},
    },
    "axolotl_mistral-qlora.yaml": {
        "format": "axolotl",
        "plan": {
            "model": "mistral-7b",
            "epochs": 1,
            "seq_len": 8192,
            "method": "qlora",
            "lora_rank": 32,
            "precision": "bf16",
        },
        "facts": {"micro_batch": 2, "accumulation": 4},
        "open": {"on", "tokens"},
    },
    "axolotl_dbrx-8bit-lora.yaml": {
        "format": "axolotl",
        "plan": {
            "epochs": 1,
            "seq_len": 512,
            "method": "lora",
            "lora_rank": 8,
            "precision": "bf16",
        },
        "facts": {"model": "LnL-AI/dbrx-base-converted-v2"},
        "open": {"model", "on", "tokens"},
        "notes": {"read_8bit_base"},
    },
    # -- TRL / Hugging Face Trainer ------------------------------------------------------------
    "trl_zephyr-7b-sft.yaml": {
        "format": "trl",
        "plan": {
            "model": "mistral-7b",
            "epochs": 1,
            "seq_len": 2048,
            "method": "full",
            "precision": "bf16",
        },
        "facts": {
            "micro_batch": 16,
            "accumulation": 1,
            "dataset": ("HuggingFaceH4/ultrachat_200k",),
        },
        "open": {"on", "tokens"},
    },
    "trl_smollm3-mid.yaml": {
        "format": "trl",
        "name": "smollm3-midtraining",
        "plan": {"epochs": 5, "seq_len": 32768, "method": "full", "precision": "bf16"},
        "facts": {"micro_batch": 1, "accumulation": 2, "packing": True},
        "open": {"model", "on", "tokens"},
    },
    "trl_zephyr-7b-dpo-qlora.yaml": {
        "format": "trl",
        "plan": {
            "epochs": 1,
            "seq_len": 1024,
            "method": "qlora",
            "lora_rank": 16,
            "precision": "bf16",
        },
        "facts": {"micro_batch": 4, "dataset": ("HuggingFaceH4/ultrafeedback_binarized",)},
        "open": {"model", "on", "tokens"},
        "notes": {"read_preference_training"},
    },
    # -- accelerate: only how many -------------------------------------------------------------
    "accelerate_fsdp-multi-node.yaml": {
        "format": "accelerate",
        "plan": {"precision": "bf16"},
        "facts": {"chips": 16, "nodes": 2},
        "open": {"model", "on", "tokens", "seq_len", "method"},
    },
    "accelerate_single.yaml": {
        "format": "accelerate",
        "plan": {"precision": "bf16"},
        "facts": {"chips": 4, "nodes": 1},
        "open": {"model", "on", "tokens", "seq_len", "method"},
        "notes": {"read_fp16"},
    },
    # -- LLaMA-Factory -------------------------------------------------------------------------
    "llamafactory_qwen3_full_sft.yaml": {
        "format": "llamafactory",
        "plan": {
            "model": "qwen3-4b",
            "epochs": 3,
            "seq_len": 2048,
            "method": "full",
            "precision": "bf16",
        },
        "facts": {
            "micro_batch": 1,
            "accumulation": 2,
            "max_samples": 1000,
            "dataset": ("identity", "alpaca_en_demo"),
        },
        "open": {"on", "tokens"},
        "notes": {"read_model_taken_as"},
    },
    "llamafactory_llama3_fp8_deepspeed.yaml": {
        "format": "llamafactory",
        "plan": {
            "model": "llama-3-8b",
            "epochs": 3,
            "seq_len": 1024,
            "method": "full",
            "precision": "fp8",
        },
        "facts": {"accumulation": 8},
        "open": {"on", "tokens"},
    },
    "llamafactory_llama3_fsdp_qlora.yaml": {
        "format": "llamafactory",
        "plan": {
            "model": "llama-3-8b",
            "epochs": 3,
            "seq_len": 1024,
            "method": "qlora",
            "lora_rank": 8,
            "precision": "bf16",
        },
        "facts": {},
        "open": {"on", "tokens"},
        "notes": {"read_fp16"},
    },
    # -- torchtune: no sequence length unless the tokenizer has one ----------------------------
    "torchtune_llama3_1_8B_full.yaml": {
        "format": "torchtune",
        "plan": {"model": "llama-3.1-8b", "epochs": 1, "method": "full", "precision": "bf16"},
        "facts": {"micro_batch": 2, "accumulation": 1, "packing": False, "recompute": True},
        "open": {"on", "seq_len", "tokens"},
    },
    "torchtune_llama3_1_405B_qlora.yaml": {
        "format": "torchtune",
        "plan": {
            "model": "llama-3.1-405b",
            "epochs": 1,
            "method": "qlora",
            "lora_rank": 16,
            "precision": "bf16",
        },
        "facts": {"micro_batch": 1, "accumulation": 16},
        "open": {"on", "seq_len", "tokens"},
    },
    "torchtune_gemma2_9B_lora.yaml": {
        "format": "torchtune",
        "plan": {
            "model": "gemma-2-9b",
            "epochs": 3,
            "method": "lora",
            "lora_rank": 64,
            "precision": "bf16",
        },
        "facts": {"micro_batch": 4},
        "open": {"on", "seq_len", "tokens"},
    },
    # -- MaxText -------------------------------------------------------------------------------
    "maxtext_llama3.1-8b_run.yml": {
        "format": "maxtext",
        # v5p-128 counts TensorCores: 64 chips, one JAX device each; 64 x 4 sequences of 8192
        "plan": {
            "model": "llama-3.1-8b",
            "on": "v5p-128",
            "tokens": 30 * 64 * 4 * 8192,
            "seq_len": 8192,
            "global_batch": 64 * 4 * 8192,
            "method": "full",
            "precision": "bf16",
        },
        "facts": {
            "steps": 30,
            "micro_batch": 4,
            "slice": "v5p-128",
            "slices": 1,
            "recompute": "full",
            "vocab": 128256,
            "batch_sequences": 256,
        },
        "open": set(),
        "chips": 64,
    },
    "maxtext_deepseek3-671b.yml": {
        "format": "maxtext",
        "plan": {"model": "deepseek-v3"},
        "facts": {
            "hidden": 7168,
            "layers": 61,
            "heads": 128,
            "ffn": 18432,
            "vocab": 129280,
            "experts": 256,
            "experts_per_token": 8,
            "shared_experts": 1,
            "expert_ffn": 2048,
            "first_dense": 3,
        },
        "open": {"on", "tokens"},
        "notes": {"read_kind_assumed", "read_model_by_shape"},
    },
    "maxtext_gpu_llama3_70b.yml": {
        "format": "maxtext",
        "name": "gpu_train_test",
        "plan": {"model": "llama-3-70b", "seq_len": 8192, "method": "full"},
        "facts": {"steps": 30, "micro_batch": 4, "recompute": "full"},
        "open": {"on", "tokens", "precision"},
    },
    "maxtext_gpu_mixtral_8x7b.yml": {
        "format": "maxtext",
        "name": "gpu_train_test",
        "plan": {"model": "mixtral-8x7b", "seq_len": 4096, "method": "full"},
        "facts": {"steps": 30, "micro_batch": 12},
        "open": {"on", "tokens", "precision"},
    },
    "maxtext_qwen3-30b-a3b.yml": {
        "format": "maxtext",
        "plan": {"model": "qwen3-30b-a3b"},
        "facts": {"experts": 128, "experts_per_token": 8, "head_dim": 128, "expert_ffn": 768},
        "open": {"on", "tokens"},
        "notes": {"read_kind_assumed", "read_model_by_shape"},
    },
    # -- Megatron ------------------------------------------------------------------------------
    "megatron_llama3_8b_fp8.args": {
        "format": "megatron",
        "plan": {
            "model": "llama-3-8b",
            "tokens": 1_953_125_000 * 8192,
            "seq_len": 8192,
            "global_batch": 128 * 8192,
            "method": "full",
            "precision": "fp8",
        },
        "facts": {
            "chips": 8,
            "samples": 1_953_125_000,
            "micro_batch": 1,
            "batch_sequences": 128,
            "tensor": 1,
            "context": 1,
        },
        "open": {"on"},
        "notes": {"read_model_by_shape"},
    },
    "megatron_llama3_8b_h100_fp8.sh": {
        "format": "megatron",
        "plan": {
            "model": "llama-3-8b",
            "tokens": 1_953_125_000 * 8192,
            "seq_len": 8192,
            "global_batch": 128 * 8192,
            "method": "full",
            "precision": "fp8",
        },
        "facts": {"chips": 8, "tensor": 1, "context": 1},
        "open": {"on"},
        "notes": {"read_model_by_shape", "read_several_values"},
    },
    "megatron_gpt3_175b.sh": {
        "format": "megatron",
        # 8 x 1 GPUs cannot hold 8-way tensor times 16-way pipeline parallelism
        "plan": {
            "seq_len": 2048,
            "global_batch": 1536 * 2048,
            "method": "full",
            "precision": "bf16",
            # 95 sizes of 16, 32 ... 1520 while the first 5,859,375 samples pass, then 1,536
            "tokens": 743_443_552 * 2048,
        },
        "facts": {"tensor": 8, "pipeline": 16, "samples": 743_443_552},
        "open": {"model", "on"},
        "notes": {"read_fp16"},
    },
    "megatron_mixtral_tiny.sh": {
        "format": "megatron",
        "plan": {
            "tokens": 7 * 4 * 256,
            "seq_len": 256,
            "global_batch": 4 * 256,
            "method": "full",
        },
        "facts": {"steps": 7, "chips": 2, "expert": 2, "experts": 2, "experts_per_token": 2},
        # bf16 is commented out: the run would be in fp32
        "open": {"model", "on", "precision"},
        "notes": {"read_variable_default"},
    },
    # -- torchtitan ----------------------------------------------------------------------------
    "torchtitan_llama3_8b.toml": {
        "format": "torchtitan",
        # a float8 table without a converter that uses it changes nothing
        "plan": {"model": "llama-3.1-8b", "seq_len": 8192, "method": "full", "precision": "bf16"},
        "facts": {"steps": 1000, "micro_batch": 1, "recompute": "selective", "tensor": 1},
        "open": {"on", "tokens"},
    },
    "torchtitan_llama3_70b_8xb200.toml": {
        "format": "torchtitan",
        "plan": {
            "model": "llama-3.1-70b",
            "tokens": 1000 * 8 * 6 * 8192,
            "seq_len": 8192,
            "global_batch": 8 * 6 * 8192,
            "method": "full",
            "precision": "bf16",
        },
        "facts": {"chips": 8, "steps": 1000, "micro_batch": 6, "data_shard": 8},
        "open": {"on"},
    },
    "torchtitan_deepseek_v3_671b.toml": {
        "format": "torchtitan",
        "plan": {"model": "deepseek-v3", "seq_len": 4096, "method": "full", "precision": "bf16"},
        "facts": {"steps": 10_000, "micro_batch": 4},
        "open": {"on", "tokens"},
    },
    "torchtitan_llama3_405b.toml": {
        "format": "torchtitan",
        "plan": {"model": "llama-3.1-405b", "seq_len": 8192, "method": "full", "precision": "fp8"},
        "facts": {"steps": 3000, "micro_batch": 2, "tensor": 8},
        "open": {"on", "tokens"},
    },
    # -- Hugging Face --------------------------------------------------------------------------
    "hf_llama-3.1-8b.config.json": {
        "format": "huggingface",
        "facts": {
            "hidden": 4096,
            "layers": 32,
            "heads": 32,
            "kv_heads": 8,
            "ffn": 14336,
            "vocab": 128256,
            "max_context": 131072,
            "weights_dtype": "bfloat16",
            "tied_embeddings": False,
        },
        "params": 8_030_261_248,
        "open": {"on", "tokens"},
        "notes": {"read_kind_assumed"},
    },
    "hf_qwen3-30b-a3b.config.json": {
        "format": "huggingface",
        "facts": {"head_dim": 128, "experts": 128, "experts_per_token": 8, "expert_ffn": 768},
        "params": 30_532_122_624,
        "open": {"on", "tokens"},
        "notes": {"read_kind_assumed"},
    },
    "hf_mixtral-8x7b.config.json": {
        "format": "huggingface",
        "facts": {"experts": 8, "experts_per_token": 2, "ffn": 14336},
        "params": 46_702_792_704,
        "open": {"on", "tokens"},
        "notes": {"read_kind_assumed"},
    },
    "hf_deepseek-r1-v3.config.json": {
        "format": "huggingface",
        "facts": {
            "experts": 256,
            "experts_per_token": 8,
            "shared_experts": 1,
            "first_dense": 3,
            "kv_lora_rank": 512,
            "q_lora_rank": 1536,
            "stored_precision": "fp8",
        },
        # the multi-token-prediction layer is not among the 671 B
        "params": 671_026_419_200,
        "open": {"on", "tokens"},
        "notes": {"read_kind_assumed"},
    },
    "hf_gemma-3-27b.config.json": {
        "format": "huggingface",
        "facts": {"hidden": 5376, "layers": 62, "kv_heads": 16, "window": 1024},
        "open": {"on", "tokens"},
        "notes": {"read_kind_assumed", "read_no_vocab"},
    },
    "hf_llama3-8b-tpu.config.json": {
        "format": "huggingface",
        "facts": {"hidden": 4096, "max_context": 8192},
        "params": 8_030_261_248,
        "open": {"on", "tokens"},
        "notes": {"read_kind_assumed"},
    },
    "hf_deepseek-v3.2-16l64e.config.json": {
        "format": "huggingface",
        "facts": {"layers": 16, "experts": 64, "stored_precision": "fp8"},
        "open": {"on", "tokens"},
        "notes": {"read_kind_assumed"},
    },
    "hf_qwen3.8-27b.config.json": {
        "format": "huggingface",
        # `dtype` is the newer name of `torch_dtype`
        "facts": {"layers": 64, "head_dim": 256, "vocab": 248320, "weights_dtype": "bfloat16"},
        "open": {"on", "tokens"},
        "notes": {"read_kind_assumed"},
    },
    # -- SkyPilot ------------------------------------------------------------------------------
    "skypilot_mingpt-ddp.yaml": {
        "format": "skypilot",
        "name": "minGPT-ddp",
        "plan": {"on": "l4:2"},  # one each on two nodes
        "open": {"hours"},
    },
    "skypilot_multi-accelerator.yaml": {
        "format": "skypilot",
        # without spaces the keys are `A100:1` and `Inferentia:6`; six chips are an Inf2 machine
        "plan": {},
        "choices": ["a100-40gb:1", "inferentia2:6"],
        "open": {"on", "hours"},
        "notes": {"read_accelerator_meaning"},
    },
    "skypilot_axolotl-spot.yaml": {
        "format": "skypilot",
        "name": "axolotl",
        "plan": {"on": "a100-40gb:1", "provider": "gcp", "purchase": "spot"},
        "open": {"hours"},
        "notes": {"read_accelerator_meaning"},
    },
    "skypilot_cosmos3.yaml": {
        "format": "skypilot",
        "name": "cosmos3-nano-finetune",
        "plan": {},
        "choices": ["h100:8", "h200:8"],
        "open": {"on", "hours"},
    },
    "skypilot_deepseek-r1.yaml": {
        "format": "skypilot",
        "name": "deepseek-r1",
        "plan": {},
        "choices": [
            "h200:16 spot",
            "h100:16 spot",
            "a100-80gb:16 spot",
            "h200:16",
            "h100:16",
            "a100-80gb:16",
        ],
        "open": {"on"},
        "notes": {"read_autoscaling"},
    },
    "skypilot_llama3-serve.yaml": {
        "format": "skypilot",
        "plan": {"purchase": "spot"},
        # two replicas of each
        "choices": [
            "l4:16 spot",
            "a10g:16 spot",
            "a10:16 spot",
            "a100-40gb:8 spot",
            "a100-40gb:16 spot",
            "a100-80gb:4 spot",
            "a100-80gb:8 spot",
            "a100-80gb:16 spot",
        ],
        "open": {"on"},
        "notes": {"read_accelerator_meaning"},
    },
    "skypilot_tpu-v6e.yaml": {
        "format": "skypilot",
        "plan": {"on": "v6e-8"},
        "chips": 8,
        "open": {"hours"},
    },
    # -- Kubernetes ----------------------------------------------------------------------------
    "k8s_tpu7x_64chips_job.yaml": {
        "format": "kubernetes",
        "name": "tpu-job-jax-v7x-64",
        # 16 pods of 4 chips; the slice's name counts the two cores of a chip
        "plan": {"on": "tpu7x-128", "provider": "gcp"},
        "facts": {"chips": 64, "topology": "4x4x4", "slices": 1, "accelerator": "tpu-v7x"},
        "chips": 64,
        "open": {"hours"},
    },
    "k8s_gke_a100_axolotl_job.yaml": {
        "format": "kubernetes",
        "name": "gemma3-melanoma-training",
        # nvidia-tesla-a100 is the 40 GB part
        "plan": {"on": "a100-40gb:1", "provider": "gcp"},
        "facts": {"chips": 1},
        "open": {"hours"},
    },
    "k8s_eks_trn1_raycluster.yaml": {
        "format": "kubernetes",
        "name": "llama2-pretrain-trn1",
        "plan": {"on": "trn1.32xlarge:2", "provider": "aws"},
        "facts": {"chips": 32, "accelerator": "trainium1", "instance_type": "trn1.32xlarge"},
        "chips": 32,
        "open": {"hours"},
        "notes": {"read_instance_label"},
    },
    "k8s_oke_mi300x_job.yaml": {
        "format": "kubernetes",
        "name": "accelerate-multinode",
        # the manifest says AMD and 24, and nothing says which chip
        "plan": {},
        "facts": {"chips": 24},
        "open": {"on", "hours"},
    },
    "k8s_tpu_multislice_jobset.yaml": {
        "format": "kubernetes",
        "name": "jax-gemma3-train-multislice",
        "plan": {"on": "v6e-8:2", "provider": "gcp"},
        "facts": {"chips": 16, "slices": 2},
        "chips": 16,
        "open": {"hours"},
    },
    "k8s_lws_deepseek-r1.yaml": {
        "format": "kubernetes",
        "name": "vllm",
        # one leader and one worker of eight
        "plan": {"on": "h100-sxm:16", "provider": "gcp"},
        "facts": {"chips": 16},
        "open": set(),
    },
    "k8s_rayjob_tpu-v6e.yaml": {
        "format": "kubernetes",
        "name": "v6e-16-job",
        # numOfHosts pods make one replica of a multi-host slice
        "plan": {"on": "v6e-16", "provider": "gcp"},
        "facts": {"chips": 16},
        "chips": 16,
        "open": {"hours"},
    },
    "k8s_l4_finetune_job.yaml": {
        "format": "kubernetes",
        "name": "finetune-gemma-l4",
        "plan": {"on": "l4:4", "provider": "gcp"},
        "facts": {"chips": 4},
        "open": {"hours"},
    },
    "k8s_vllm_gemma_deployment.yaml": {
        "format": "kubernetes",
        "name": "vllm-gemma-deployment",
        "plan": {"on": "l4:8", "provider": "gcp"},
        "facts": {"chips": 8},
        "open": set(),
    },
    # -- Terraform -----------------------------------------------------------------------------
    "terraform_plan_aws_gpu.json": {
        "format": "terraform",
        "plan": [
            {
                "name": "aws_instance.trainer[0]",
                "kind": "machine",
                "on": "p5.48xlarge",
                "provider": "aws",
                "region": "us-east-1",
            },
            {
                "name": "module.gke.google_container_node_pool.a3",
                "kind": "machine",
                "on": "a3-highgpu-8g:2",
                "provider": "gcp",
                "region": "us-central1",
                "purchase": "on-demand",
            },
            {
                "name": "module.gke.google_tpu_v2_vm.tpu",
                "kind": "machine",
                "on": "v5p-8",
                "provider": "gcp",
                "region": "us-east5",
                "purchase": "spot",
            },
        ],
        "chips": [8, 16, 4],
        "open": set(),
        "notes": {"read_zones_unknown"},
    },
    "terraform_infracost_example.json": {
        "format": "terraform",
        "plan": [],
        "open": set(),
        "notes": {"read_no_accelerator", "read_no_accelerators", "read_several_types"},
    },
    "terraform_carbonifer_k80.json": {
        "format": "terraform",
        "plan": [
            {
                "name": "google_compute_instance.default",
                "kind": "machine",
                "on": "k80:4",  # two machines of two
                "provider": "gcp",
                "region": "europe-west9",
            }
        ],
        "facts": {"chips": 4, "instances": 2},
        "open": set(),
        "notes": {"read_no_accelerator"},
    },
    "terraform_region_through_modules.json": {
        "format": "terraform",
        "plan": [
            {
                "name": "aws_instance.trainer",
                "kind": "machine",
                "on": "p4d.24xlarge",
                "provider": "aws",
                "region": "region_from_module_calls",
            }
        ],
        "chips": [8],
        "open": set(),
    },
}
